"""Reads students' words in processes of their own, within bounds that the kernel keeps."""
