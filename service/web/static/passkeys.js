/** Passkeys: forms with `data-passkey` make one ("new") or sign in with one ("use"). They show where a browser can. */

import { ask } from "./api.js";

const REASONS = {
  NotAllowedError: "Nothing was done: it was cancelled, or took too long.",
  InvalidStateError: "This device has a passkey of yours already.",
  SecurityError: "Passkeys do not hold at this address.",
};

async function makePasskey(form) {
  const options = (await ask("POST", "/account/passkeys/challenge", {})).data;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  return (await ask("POST", "/account/passkeys", { label: form.label.value.trim(), credential: credential.toJSON() })).data;
}

async function usePasskey(form) {
  const options = (await ask("POST", "/sign-in/passkey/challenge", {})).data;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  return (await ask("POST", "/sign-in/passkey", { credential: credential.toJSON(), back: form.back.value })).data;
}

const able = Boolean(window.PublicKeyCredential?.parseCreationOptionsFromJSON);
for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.hidden = !able;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button"), said = form.querySelector("[role=alert]");
    button.disabled = true;
    said.hidden = true;
    try {
      location.assign((await (form.dataset.passkey === "new" ? makePasskey : usePasskey)(form)).location);
    } catch (error) {
      said.textContent = REASONS[error.name] ?? error.message;
      said.hidden = false;
      button.disabled = false;
    }
  });
}
for (const unable of document.querySelectorAll("[data-without-passkeys]")) unable.hidden = able;
