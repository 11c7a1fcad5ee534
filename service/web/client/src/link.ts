/** The address of a step: `#step=7&viewer=seat-0`. */

/** What is shown, and whether it goes along with a live game. */
interface Shown {
  step: number;
  viewer: string;
  following: boolean;
  live: boolean;
}

/** What the page's address says: {step, viewer}, null where it says nothing. */
export function linkedStep(): { step: number | null; viewer: string | null } {
  const parameters = new URLSearchParams(location.hash.slice(1)), step = /^\d{1,9}$/.test(parameters.get("step") ?? "");
  return { step: step ? Number(parameters.get("step")) : null, viewer: parameters.get("viewer") };
}

/** Puts what is shown into the address; who follows a live game keeps following it. */
export function writeLink({ step, viewer, following, live }: Shown): void {
  history.replaceState(null, "", following && live ? `#viewer=${viewer}` : linkTo(step, viewer));
}

function linkTo(step: number, viewer: string): string {
  return `#step=${step}&viewer=${viewer}`;
}

/** Copies the address of a step, or tells it where that is not allowed. */
export async function copyLink(step: number, viewer: string, tell: (sentence: string) => void): Promise<void> {
  const link = new URL(linkTo(step, viewer), location.href).href;
  const copied = isSecureContext && await navigator.clipboard.writeText(link).then(() => true, () => false);
  tell(copied ? "The link to this step is copied." : link);
}
