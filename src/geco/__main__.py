"""``python -m geco`` is ``geco``."""

from geco.cli import main

if __name__ == "__main__":
    main()
