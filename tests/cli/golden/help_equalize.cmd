gpuhisto equalize --help
