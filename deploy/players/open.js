/*
 * Opens the player in the app's window. The first start waits for the server. Later starts do not: the page's service
 * worker opens it without a network.
 */
(function () {
  'use strict';
  var url = document.body.getAttribute('data-url');
  function show() {
    localStorage.setItem('reached', url);
    location.replace(url);
  }
  function open() {
    if (localStorage.getItem('reached') === url) show();
    else fetch(url, { mode: 'no-cors' }).then(show, function () { setTimeout(open, 10000); });
  }
  open();
})();
