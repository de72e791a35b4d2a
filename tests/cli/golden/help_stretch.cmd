gpuhisto stretch --help
