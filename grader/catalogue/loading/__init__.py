"""From the files of an assignment to its values, or to every fault in them."""
