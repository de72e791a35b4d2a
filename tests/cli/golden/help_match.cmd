gpuhisto match --help
