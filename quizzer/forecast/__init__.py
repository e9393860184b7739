"""Lives through the coming days by the rules of `plan`."""
