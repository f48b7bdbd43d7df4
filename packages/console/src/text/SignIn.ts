/** The texts of the sign-in. */
export const signInText = {
  title: "Sign in to Leadloom",
  organisation: "Sign in with your organisation",
  choose: "Choose a tenant",
  open: "Open",
  link: "Open the sign-in link that you have received. The command leadloom console creates a new one.",
  keyTitle: "With an API key",
  help: "Paste an API key, or the admin key of the deployment. Without a tenant, the key opens its own or the first one. This tab keeps it until you sign out or close the tab.",
  tenant: "Tenant",
  key: "API key",
  submit: "Sign in",
  checking: "Signing in…",
  expired: "Your session has ended. Sign in again.",
  usedLink: "This sign-in link is invalid, expired or already used. Run leadloom console for a new one.",
  refused: "The server does not accept this key for this tenant. Check both.",
  provider: {
    denied: "Your organisation did not sign you in: the sign-in was cancelled or denied.",
    refused:
      "Your organisation refused the request to sign you in. Ask the operator to check the settings of the client.",
    unknown: "This tab did not start this sign-in, or it is already finished. Start again.",
    used: "The code of this sign-in has expired or was used before. Start again.",
    unreachable: "The sign-in of your organisation cannot be reached. Try again in a minute.",
    invalid:
      "The response of your organisation does not belong to this sign-in. Check the clock of this device and start again.",
    noAccess: "Your account has no access. Ask an admin for a role and a tenant.",
    notAccepted: "The server does not accept the sign-in of your organisation. Ask the operator to check its settings.",
    noTenant: "This server has no tenant with this name."
  }
} as const
