// The last script of every page: what the others listen to may be tapped from now on.

document.documentElement.classList.add("ready");
