"""What the command line can do: every module declares its commands beside what they do."""
