gpuhisto plot --help
