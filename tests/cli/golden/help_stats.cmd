gpuhisto stats --help
