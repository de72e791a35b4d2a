echo hello > notes.txt
: > empty.png
mkdir folder
gpuhisto stats notes.txt empty.png folder
