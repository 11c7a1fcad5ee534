/** Passkeys: forms with `data-passkey` make one ("new") or sign in with one ("use"). They show where a browser can. */

import { ask } from "./api.ts";

const REASONS: Record<string, string> = {
  NotAllowedError: "Nothing was done: it was cancelled, or took too long.",
  InvalidStateError: "This device has a passkey of yours already.",
  SecurityError: "Passkeys do not hold at this address.",
};

/** Where the browser goes next. */
interface Next {
  location: string;
}

async function makePasskey(form: HTMLFormElement): Promise<Next> {
  const options = (await ask<PublicKeyCredentialCreationOptionsJSON>("POST", "/account/passkeys/challenge", {})).data;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  const label = fieldOf(form, "label").trim();
  return (await ask<Next>("POST", "/account/passkeys", { label, credential: jsonOf(credential) })).data;
}

async function usePasskey(form: HTMLFormElement): Promise<Next> {
  const options = (await ask<PublicKeyCredentialRequestOptionsJSON>("POST", "/sign-in/passkey/challenge", {})).data;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  const back = fieldOf(form, "back");
  return (await ask<Next>("POST", "/sign-in/passkey", { credential: jsonOf(credential), back })).data;
}

function fieldOf(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? "");
}

function jsonOf(credential: Credential | null): PublicKeyCredentialJSON | null {
  return (credential as PublicKeyCredential | null)?.toJSON() ?? null;
}

const able = "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential;
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
  const button = form.querySelector("button"), said = form.querySelector<HTMLElement>("[role=alert]");
  form.hidden = !able;
  if (button && said) form.addEventListener("submit", (event) => void submitted(event, form, button, said));
}
for (const unable of document.querySelectorAll<HTMLElement>("[data-without-passkeys]")) unable.hidden = able;

async function submitted(
  event: Event, form: HTMLFormElement, button: HTMLButtonElement, said: HTMLElement,
): Promise<void> {
  event.preventDefault();
  button.disabled = true;
  said.hidden = true;
  try {
    location.assign((await (form.dataset["passkey"] === "new" ? makePasskey : usePasskey)(form)).location);
  } catch (failure) {
    const { name, message } = failure as Error;
    said.textContent = REASONS[name] ?? message;
    said.hidden = false;
    button.disabled = false;
  }
}
