gpuhisto --version | head -n 1
