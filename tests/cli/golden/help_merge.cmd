gpuhisto merge --help
