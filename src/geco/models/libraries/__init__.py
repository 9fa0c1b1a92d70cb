"""One folder per library: ``ask.py`` how its models are called, ``read.py`` how their arrays are read.

    reading.py   what a reader gives back, how it registers, and how it refuses
    tables.py    columns of the user's table as numbers and codes
    bits.py      sets of categories kept as bits

A folder is imported by the registry once an object of its library shows up, and imports that library only inside
functions. Folders do not import each other.
"""
