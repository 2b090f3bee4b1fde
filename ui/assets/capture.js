// What Flet does not do: the size of text, and pictures by more ways than a file button: dropped on the page, pasted into it, or taken in a live view with a frame to
// lay the tiles in. Each goes to the server by one request; the app is told of them through the page's address.
(() => {
  'use strict';
  const MOST = 12;
  const WORDS = {
    'zh-Hans': { frame: '把牌摆进框里', shoot: '拍照', files: '相册或系统相机', close: '取消', denied: '用不了摄像头' },
    'zh-Hant': { frame: '把牌擺進框裡', shoot: '拍照', files: '相簿或系統相機', close: '取消', denied: '用不了攝影機' },
    en: { frame: 'Lay the tiles in the frame', shoot: 'Take the photo', files: 'Other camera or album', close: 'Cancel',
      denied: 'The camera cannot be used' },
  };

  function words() {
    let language = /^zh/.test(navigator.language) ? 'zh-Hans' : 'en';
    try {
      language = JSON.parse(JSON.parse(localStorage.getItem(PREFERENCES))).language;
    } catch { /* nothing is kept on this device yet */ }
    return WORDS[language] || WORDS.en;
  }

  // Flutter takes the size of text from the page's root, and the icon that is seen before the app has a light and a dark
  // ground. The app keeps what the person prefers in the browser's storage, so whatever is kept there under this name is
  // applied at once.
  const PREFERENCES = 'flutter.hupai.preferences';

  function dress(kept) {
    try {
      const { text, theme, language } = JSON.parse(JSON.parse(kept));
      document.documentElement.style.fontSize = `${0.16 * (text || 100)}px`;
      document.documentElement.dataset.theme = theme;
      document.documentElement.dataset.language = language;
      document.cookie = `hupai_language=${language}; path=/; samesite=strict`; // the server's first word is in it
    } catch { // nothing is kept on this device yet, or not any more
      document.cookie = 'hupai_language=; path=/; max-age=0; samesite=strict';
    }
  }
  const setItem = Storage.prototype.setItem;
  Storage.prototype.setItem = function (key, value) {
    setItem.call(this, key, value);
    if (key === PREFERENCES) dress(value);
  };
  dress(localStorage.getItem(PREFERENCES));

  // -- to the server, and to the app ----------------------------------------------------------------------------------

  async function sent(file) {
    try {
      const headers = { 'X-Name': encodeURIComponent(file.name || '') };
      const answer = await fetch('photographs', { method: 'POST', headers, body: file });
      return answer.ok ? await answer.text() : answer.status === 413 ? 'large' : 'lost';
    } catch {
      return 'lost';
    }
  }

  async function send(files) {
    const tokens = [];
    for (const file of [...files].slice(0, MOST)) tokens.push(await sent(file));
    if (!tokens.length) return;
    history.pushState(null, '', `${location.pathname}?photo=${tokens.join('.')}`);
    window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }

  // -- drop and paste -------------------------------------------------------------------------------------------------

  const target = document.createElement('div');
  target.id = 'drop-target';
  target.innerHTML = '<img src="icon.svg" alt="">';
  let leaving = 0;

  function carries(transfer) {
    return transfer && [...transfer.types].includes('Files');
  }

  window.addEventListener('dragover', (event) => {
    if (!carries(event.dataTransfer)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    clearTimeout(leaving);
    if (!target.isConnected) document.body.append(target);
    leaving = setTimeout(() => target.remove(), 800); // a drag that left the page says nothing more
  }, true);

  window.addEventListener('drop', async (event) => {
    if (!carries(event.dataTransfer)) return;
    event.preventDefault();
    const files = [...event.dataTransfer.files];
    clearTimeout(leaving);
    target.classList.add('busy');
    await send(files);
    target.classList.remove('busy');
    target.remove();
  }, true);

  window.addEventListener('paste', (event) => {
    if (event.clipboardData && event.clipboardData.files.length) {
      event.preventDefault();
      send(event.clipboardData.files);
    }
  }, true);

  // -- the camera -----------------------------------------------------------------------------------------------------

  // Flet's file picker cannot ask for the camera. Its input for one picture is ours to take a photo with, the one for
  // several is the gallery. `capture` opens a phone's rear camera at once, over plain http on the home network too; where
  // the connection is secure and there is a camera, the live view comes first.
  const click = HTMLInputElement.prototype.click;
  let cameras = 0;

  async function count() {
    const devices = await navigator.mediaDevices.enumerateDevices();
    cameras = devices.filter((device) => device.kind === 'videoinput').length;
  }
  if (window.isSecureContext && navigator.mediaDevices) {
    count();
    navigator.mediaDevices.addEventListener('devicechange', count);
  }

  HTMLInputElement.prototype.click = function () {
    if (this.type !== 'file' || this.multiple || !(this.accept || '').includes('image')) return click.call(this);
    this.setAttribute('capture', 'environment');
    return cameras ? live(this) : click.call(this);
  };

  async function live(input) {
    const say = words();
    const view = document.createElement('div');
    view.id = 'live';
    view.setAttribute('role', 'dialog');
    view.setAttribute('aria-label', say.frame);
    view.innerHTML = `<video autoplay playsinline muted></video><div class="frame"><p></p></div>
      <div class="buttons"><button class="close"></button><button class="shoot"></button><button class="files"></button></div>`;
    const [video, note, shoot] = [view.querySelector('video'), view.querySelector('p'), view.querySelector('.shoot')];
    note.textContent = say.frame;
    view.querySelector('.close').textContent = say.close;
    view.querySelector('.files').textContent = say.files;
    shoot.setAttribute('aria-label', say.shoot);
    shoot.disabled = true;
    document.body.append(view);
    let stream = null;

    function close() {
      if (stream) stream.getTracks().forEach((track) => track.stop());
      view.remove();
      window.removeEventListener('keydown', keys, true);
    }
    function giveUp() {
      close();
      input.dispatchEvent(new Event('cancel')); // whoever waits for a file hears that there is none
    }
    function keys(event) {
      if (event.key === 'Escape') giveUp();
      else if (event.key === ' ' || event.key === 'Enter') shoot.click();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }
    async function photograph() {
      shoot.disabled = true;
      const track = stream.getVideoTracks()[0];
      let picture = null;
      if (window.ImageCapture) { // the sensor's full size, where the browser knows how
        picture = await new ImageCapture(track).takePhoto().catch(() => null);
      }
      if (!picture) {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
        canvas.getContext('2d').drawImage(video, 0, 0);
        picture = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.92));
      }
      view.classList.add('busy');
      await send([new File([picture], '', { type: picture.type })]);
      giveUp();
    }

    view.querySelector('.close').addEventListener('click', giveUp);
    view.querySelector('.files').addEventListener('click', () => { close(); click.call(input); });
    shoot.addEventListener('click', photograph);
    window.addEventListener('keydown', keys, true);
    try {
      const size = { width: { ideal: 3840 }, height: { ideal: 2160 } };
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', ...size } });
      if (!view.isConnected) return close();
      video.srcObject = stream;
      await video.play();
      shoot.disabled = false;
    } catch {
      note.textContent = say.denied;
    }
  }
})();
