// Tells the server what happens on a hosted page: that it was seen, which calls to action were followed, how far it was read, and
// what rostrum.convert is given. Each thing is told once per page view.
(function () {
  "use strict";

  function meta(name) {
    var element = document.querySelector('head > meta[name="rostrum-' + name + '"]');
    return element ? element.content : "";
  }

  var session = meta("session");
  var base = "/api/public/links/" + encodeURIComponent(meta("link")) + "/";
  var told = {};

  function send(path, message) {
    var body = JSON.stringify(message);
    try {
      if (navigator.sendBeacon && navigator.sendBeacon(base + path, new Blob([body], { type: "application/json" }))) {
        return;
      }
    } catch (refused) {
      // fetch is left
    }
    fetch(base + path, {
      method: "POST", body: body, headers: { "Content-Type": "application/json" }, keepalive: true, credentials: "same-origin"
    }).catch(function () {});
  }

  function once(key, path, message) {
    if (!told["once " + key]) {
      told["once " + key] = true;
      send(path, message);
    }
  }

  function convert(type, value) {
    value = Array.from(String(value === undefined || value === null ? "" : value)).slice(0, 200).join("");
    once(type + " " + value, "conversions", { session_id: session, type: type, value: value });
  }

  function seen() {
    if (document.visibilityState === "visible" && !document.prerendering) {
      once("view", "views", { session_id: session, referrer: document.referrer, query: location.search.slice(0, 2000) });
    }
  }

  function label(element) {
    var text = element.getAttribute("data-cta") || element.textContent || "";
    return text.replace(/\s+/g, " ").trim() || element.getAttribute("href") || "";
  }

  function followed(event) {
    var element = event.target instanceof Element && event.target.closest("[data-cta]");
    if (element && event.button !== 2) {
      convert("cta_click", label(element));
    }
  }

  // A page that fits its window reports no depth, because nobody scrolls it.
  function scrolled() {
    var root = document.documentElement, whole = root.scrollHeight;
    if (whole <= window.innerHeight + 1) {
      return;
    }
    var depth = (window.scrollY + window.innerHeight + 1) / whole * 100;
    [25, 50, 75, 100].forEach(function (mark) {
      if (depth >= mark) {
        convert("scroll_" + mark, String(mark));
      }
    });
  }

  if (!session) {
    return;
  }
  window.rostrum = { convert: function (value) { convert("custom", value); } };
  document.addEventListener("visibilitychange", seen);
  document.addEventListener("prerenderingchange", seen);
  document.addEventListener("click", followed, true);
  document.addEventListener("auxclick", followed, true);
  window.addEventListener("scroll", scrolled, { passive: true });
  seen();
})();
