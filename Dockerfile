# geco as a service: docker build -t geco . && docker run -p 8000:8000 -v "$PWD/credit:/models:ro" geco
# /models holds credit.geco, made by geco save; GECO_TOKENS gives tokens, otherwise they are made up and printed.
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ cmake ninja-build && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN pip install --no-cache-dir --prefix=/installed "/source[serve,demo]"

FROM python:3.12-slim
COPY --from=build /installed /usr/local
RUN useradd --create-home --uid 10001 geco
USER geco
EXPOSE 8000
ENTRYPOINT ["geco", "serve"]
CMD ["/models/credit.geco", "--host", "0.0.0.0", "--port", "8000"]
