// The connection to the server is lost: Flet then shows a page that says "Working…" in English and no more. This says
// what has happened and what to do, until the connection is there again. A server that was started anew knows nothing of
// this page, and Flet cannot ask such a page for what the device keeps: it is loaded anew.
(() => {
  'use strict';
  const PATIENCE = 1000; // milliseconds; a connection that comes back at once is nothing to talk about
  const WORDS = {
    'zh-Hans': '和主机的连接断了，正在重连。主机上的胡牌要是关了，请重新打开：已经记下的都在。',
    'zh-Hant': '和主機的連線斷了，正在重連。主機上的胡牌要是關了，請重新打開：已經記下的都在。',
    en: 'The connection to the computer that runs Hupai is lost; trying again. ' +
      'If Hupai was closed there, start it again: what was recorded is not lost.',
  };
  const said = document.createElement('div');
  said.id = 'lost';
  said.setAttribute('role', 'alert');
  const line = said.appendChild(document.createElement('p'));
  let waiting = 0;
  let leaving = false;
  let run = null; // of the server that this page came from
  const asked = async () => (await fetch('run', { cache: 'no-store' })).text();
  asked().then((name) => { run = name; }).catch(() => { /* it is asked for no more: there will be no page either */ });

  function say() {
    const usual = /^zh/.test(navigator.language) ? 'zh-Hans' : 'en';
    document.body.append(said);
    line.textContent = WORDS[document.documentElement.dataset.language] || WORDS[usual];
  }

  window.addEventListener('pagehide', () => { leaving = true; });
  window.addEventListener('pageshow', () => { leaving = false; });
  window.WebSocket = class extends WebSocket {
    constructor(...where) {
      super(...where);
      this.addEventListener('open', async () => {
        if (!waiting) return; // the first one
        try {
          if (run && await asked() !== run) return location.reload();
        } catch { /* lost again: its end says so */ }
        if (this.readyState !== WebSocket.OPEN) return;
        clearTimeout(waiting);
        waiting = 0;
        said.remove();
      });
      this.addEventListener('close', () => {
        if (!leaving && !waiting) waiting = setTimeout(say, PATIENCE);
      });
    }
  };
})();
