"""What is printed for Graffiti: profiles and their checks, where everything is, and how it looks."""
