/** The page to which providers send the owner of a mailbox back. The operator registers its URL at the provider. */
const path = "/settings/email-account"

/** Takes the response of the provider out of the address, so that neither the history nor a bookmark contains it. */
const takeResponse = (): URLSearchParams | null => {
  const response = new URLSearchParams(location.search)
  if (location.pathname !== path || !(response.has("code") || response.has("error"))) return null
  history.replaceState(null, "", path)
  return response
}

// The router would change the address, so it is read when the console starts.
let response = takeResponse()

/** Returns the response of the provider once, because a code is valid once. */
export const takeMailboxReturn = (): URLSearchParams | null => {
  const taken = response
  response = null
  return taken
}
