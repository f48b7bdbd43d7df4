/** Returns the sign-in link of a server. The ticket is in the fragment, which browsers never send to a server. */
export const signInLink = (url: string, ticket: string): string =>
  `${url.replace(/\/+$/u, "").replace(/\/api\/v1$/u, "")}/sign-in#ticket=${ticket}`
