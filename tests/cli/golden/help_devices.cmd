gpuhisto devices --help
