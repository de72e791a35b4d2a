gpuhisto hist --help
