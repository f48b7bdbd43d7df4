/** The texts of the sign-in. */
export const signInText = {
  title: "Sign in to Leadloom",
  help: "Paste an API key, or the admin key of the deployment. Without a tenant, the key opens its own or the first one. This tab keeps it until you sign out or close the tab.",
  tenant: "Tenant",
  key: "API key",
  submit: "Sign in",
  checking: "Signing in…",
  expired: "Your session has ended. Sign in again.",
  usedLink: "This sign-in link is invalid, expired or already used. Run leadloom console for a new one.",
  refused: "The server does not accept this key for this tenant. Check both."
} as const
