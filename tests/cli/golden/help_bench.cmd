gpuhisto bench --help
