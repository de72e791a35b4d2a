gpuhisto compare --help
