"""What was judged before, so that it need not be judged again."""
