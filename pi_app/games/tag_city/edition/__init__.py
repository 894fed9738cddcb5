"""What is printed for Tag City: profiles and their checks, geometry, and how the boards look."""
