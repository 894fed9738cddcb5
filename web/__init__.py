"""What people see and read. Knows no rules and imports no other room."""
