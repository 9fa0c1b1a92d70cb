// What the link brought: a token and perhaps x, in the fragment, which no server sees; neither stays in the address.

/** The fragment, which is then taken out of the address. @returns {URLSearchParams} */
export function fragment() {
  const brought = new URLSearchParams(location.hash.slice(1));
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  return brought;
}

/** The token of the link, or of this tab. @param {URLSearchParams} brought @returns {string | null} */
export function token(brought) {
  const given = brought.get("token");
  if (given) sessionStorage.setItem("geco.token", given);
  return given ?? sessionStorage.getItem("geco.token");
}
