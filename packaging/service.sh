# shellcheck shell=bash
# All City as a service: what `./setup.sh install`, `update` and `uninstall` do. setup.sh reads this; it has apt_install,
# as_root and fail. Every step can be done again.

kept=/var/cache/allcity # the packages: current.deb, and previous.deb to go back to
data=/var/lib/allcity
HEALTHY_S=${ALLCITY_HEALTHY_S:-150} # a Pi of the slow kind needs a minute for its first look
CALM_S=6                            # so long it must go on being healthy

service_help() {
  cat <<'TEXT'
Usage: ./setup.sh install [--deb FILE]     build the package (or take FILE), and start All City with this machine
       ./setup.sh update [--deb FILE]      never during a game; a backup first, back to the old version if the new one fails
       ./setup.sh uninstall [--keep-data | --delete-data]    asks about the games if neither is said
TEXT
}

say() { echo "==> $*"; }

# ask_table QUESTION: what the running table says, `healthy` or `playing`.
ask_table() {
  as_root env XDG_DATA_HOME=/var/lib XDG_CONFIG_HOME=/etc /opt/allcity/bin/python -P -m pi_app.run.gate "$1" 2>/dev/null
}

installed_version() { dpkg-query -W -f '${Version}' allcity 2>/dev/null || true; }

has_systemd() { [ -d /run/systemd/system ]; }

# the_package [FILE]: FILE, or one that is built now; its path.
the_package() {
  if [ -n "${1:-}" ]; then
    [ -f "$1" ] || fail "$1: there is no such package"
    realpath "$1"
    return
  fi
  apt_install "what builds the package" debhelper dpkg-dev python3-venv >&2
  echo "==> Building the package ..." >&2
  packaging/build-deb | tail -n 1
}

# put_in FILE: installs a package, an older one too. Configuration files that somebody has changed stay.
put_in() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -yq --allow-downgrades \
    -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$1" >"$log" 2>&1
}

keep_package() {
  as_root /usr/bin/install -d -m 755 "$kept"
  if [ -f "$kept/current.deb" ] && ! cmp -s "$1" "$kept/current.deb"; then
    as_root mv "$kept/current.deb" "$kept/previous.deb"
  fi
  as_root cp "$1" "$kept/current.deb"
}

# becomes_healthy: whether the table answers in time, and goes on answering.
becomes_healthy() {
  local waited=0 calm=0
  while [ "$waited" -lt "$HEALTHY_S" ]; do
    if systemctl is-active -q allcity && ask_table healthy; then
      calm=$((calm + 2))
      [ "$calm" -lt "$CALM_S" ] || return 0
    else
      calm=0
    fi
    sleep 2
    waited=$((waited + 2))
  done
  return 1
}

install_service() {
  local deb="" log
  [ "${1:-}" != --deb ] || deb=${2:?--deb needs a file}
  command -v apt-get >/dev/null || fail "All City is installed as a Debian package, and there is no apt-get here"
  log=$(mktemp "${TMPDIR:-/tmp}/allcity-install.XXXXXX")
  if [ -n "$(installed_version)" ] && has_systemd && ask_table playing; then
    fail "a game is being played: install again when it has ended"
  fi
  deb=$(the_package "$deb")
  [ -n "$deb" ] || fail "the package could not be built"
  say "Installing $(basename "$deb") ..."
  as_root apt-get update -q >"$log" 2>&1 || say "The list of packages could not be refreshed; trying with what is known."
  put_in "$deb" || fail "the package could not be installed; details: $log"
  keep_package "$deb"
  if ! has_systemd; then
    say "Installed. This machine is not run by systemd: start the table with 'allcity run'."
    return
  fi
  as_root systemctl restart allcity
  say "Waiting for the table ..."
  becomes_healthy || fail "the table does not answer; see: sudo journalctl -u allcity, sudo allcity doctor"
  rm -f "$log"
  offer_hostname
  tell_where
}

update_service() {
  local deb="" log before backup
  [ "${1:-}" != --deb ] || deb=${2:?--deb needs a file}
  before=$(installed_version)
  [ -n "$before" ] || fail "All City is not installed yet; ./setup.sh install does that"
  log=$(mktemp "${TMPDIR:-/tmp}/allcity-update.XXXXXX")
  ! ask_table playing || fail "a game is being played: update when it has ended"
  if [ -z "$deb" ] && [ -d .git ] && [ -z "$(git status --porcelain)" ] && git rev-parse -q --verify '@{upstream}' >/dev/null 2>&1; then
    git pull -q --ff-only 2>/dev/null || say "No newer version could be fetched; taking what is here."
  fi
  deb=$(the_package "$deb")
  [ -n "$deb" ] || fail "the package could not be built"
  if [ "$(dpkg-deb -f "$deb" Version)" = "$before" ]; then
    say "This is version $before already."
    return
  fi
  backup=$data/backups/before-update-$(date +%Y%m%d-%H%M%S).zip
  say "Backing everything up into $backup ..."
  if as_root test -e "$data/allcity.db"; then
    as_root /usr/bin/install -d -m 700 -o allcity -g allcity "$data/backups"
    as_root /usr/bin/allcity backup "$backup" >/dev/null || fail "the backup failed, so nothing was changed"
  else
    backup=""
  fi
  # A game may have begun meanwhile.
  ! ask_table playing || fail "a game is being played: update when it has ended"
  say "Installing $(basename "$deb") ..."
  if put_in "$deb" && as_root systemctl restart allcity && say "Waiting for the table ..." && becomes_healthy; then
    keep_package "$deb"
    rm -f "$log"
    say "Updated from $before to $(installed_version)."
    return
  fi
  go_back "$before" "$backup"
}

# go_back VERSION BACKUP: the version before, with the games as they were then: a newer program may have changed their
# format.
go_back() {
  say "The new version does not work. Going back to $1 ..."
  as_root systemctl stop allcity || true
  [ -f "$kept/current.deb" ] || fail "the package of $1 was not kept; its games are in $2"
  put_in "$kept/current.deb" || fail "the package of $1 could not be installed either; details: $log"
  as_root systemctl stop allcity || true
  if [ -n "$2" ]; then
    as_root /usr/bin/allcity restore "$2" >/dev/null || fail "the games could not be brought back; they are in $2"
  fi
  as_root systemctl restart allcity
  becomes_healthy || fail "version $1 is back, but does not answer either; see: sudo journalctl -u allcity"
  fail "the update failed; version $1 runs again, and no game was lost. Details: $log"
}

uninstall_service() {
  local delete="" saved log
  case "${1:-}" in
    --delete-data) delete=yes ;;
    --keep-data) delete=no ;;
    "")
      if [ -t 0 ]; then
        read -r -p "Delete all games, profiles and settings, too? [y/N] " answer
        case "$answer" in [yYoOsS]*) delete=yes ;; *) delete=no ;; esac
      else
        delete=no
      fi
      ;;
    *) fail "uninstall knows --keep-data and --delete-data" ;;
  esac
  [ -n "$(installed_version)" ] || say "All City is not installed."
  log=$(mktemp "${TMPDIR:-/tmp}/allcity-uninstall.XXXXXX")
  if [ "$delete" = yes ] && as_root test -e "$data/allcity.db" && [ -x /usr/bin/allcity ]; then
    saved=$PWD/allcity-before-uninstall-$(date +%Y%m%d-%H%M%S).zip
    as_root /usr/bin/allcity backup "$saved" >/dev/null && say "A last backup is in $saved."
  fi
  if [ "$delete" = yes ]; then
    as_root apt-get purge -yq allcity >"$log" 2>&1 || fail "apt-get could not remove the package; details: $log"
    as_root rm -rf "$kept"
    say "All City and its games are gone."
  else
    as_root apt-get remove -yq allcity >"$log" 2>&1 || fail "apt-get could not remove the package; details: $log"
    say "All City is gone; its games are still in $data. './setup.sh install' brings it back."
  fi
  rm -f "$log"
}

# Every Pi is called raspberrypi at first, and two of that name in one network are none.
offer_hostname() {
  local now proposed answer
  now=$(hostname)
  case "$now" in raspberrypi | localhost | debian) ;; *) return 0 ;; esac
  proposed=allcity-$(sha256sum /etc/machine-id | cut -c1-4)
  if [ -t 0 ]; then
    read -r -p "This machine is called '$now', as many others. Call it '$proposed'? [Y/n] " answer
    case "$answer" in [nN]*) return 0 ;; esac
    as_root cp /etc/hosts /etc/hosts.before-allcity
    as_root hostnamectl set-hostname "$proposed"
    as_root sed -i "s/^127\.0\.1\.1.*/127.0.1.1\t$proposed/" /etc/hosts
    as_root systemctl restart allcity
  else
    say "This machine is called '$now', as many others. A name of its own: sudo hostnamectl set-hostname $proposed"
  fi
}

tell_where() {
  say "All City runs, and starts with this machine. Its dashboard:"
  as_root env XDG_DATA_HOME=/var/lib XDG_CONFIG_HOME=/etc /opt/allcity/bin/python -P -m pi_app.run.welcome ||
    say "sudo journalctl -u allcity tells its address and the host's PIN"
}
