gpuhisto --help
