#!/bin/sh
# As root this is about the table that runs as a service (`sudo allcity backup FILE`); everybody else has a table of
# their own in their home.
if [ "$(id -u)" = 0 ] || [ "$(id -un)" = allcity ]; then
  export XDG_DATA_HOME=/var/lib XDG_CONFIG_HOME=/etc
fi
# -P: no folder that happens to be the current one is taken for a part of the program.
exec /opt/allcity/bin/python -P -m pi_app "$@"
