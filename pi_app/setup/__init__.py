"""Set-up behind the dashboard's pages: camera, lights, kits, profiles, photographs, and the doctor."""
