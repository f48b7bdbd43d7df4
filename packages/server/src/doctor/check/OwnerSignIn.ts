import type { OAuthClient } from "@leadloom/connectors/internal/oauth/OAuthClient"
import { probeClient, type UrlDifference } from "@leadloom/connectors/internal/oauth/ProbeClient"
import { providerTitles } from "@leadloom/connectors/internal/oauth/TokenEndpoint"
import { visibleLine } from "@leadloom/core/internal/domain/email/VisibleText"
import { Effect } from "effect"
import { mailboxReturnPath } from "../../http/ConsolePaths.ts"
import type { Check } from "../Check.ts"
import { type Finding, healthy, problem, warning } from "../Finding.ts"

const guide = "docs/how-to/sign-in-at-google-or-microsoft.md"

/** The facts of the deployment that determine the redirect URI of the console. */
export interface ConsoleAddress {
  /** `LEADLOOM_PUBLIC_URL`; null if it is not set. */
  readonly publicUrl: string | null
  /** Whether the server has the console. */
  readonly console: boolean
}

/** Judges the redirect URI. The provider compares it with the registered one literally, so a wrong origin never works. */
const judgeRedirect = (
  { redirectUri }: OAuthClient,
  { console, publicUrl }: ConsoleAddress
): ReadonlyArray<Finding> => {
  const url = URL.parse(redirectUri)
  const path = url?.pathname ?? ""
  const name = "LEADLOOM_MAILBOX_REDIRECT_URI"
  if (path === `${mailboxReturnPath}/`)
    return [
      warning(
        `${name} ends with a slash, so the console has no button for the sign-in.`,
        `Remove the slash, here and at the provider: ${guide}`
      )
    ]
  if (path !== mailboxReturnPath) return []
  if (!console)
    return [
      problem(
        `${name} is a page of the console, but LEADLOOM_CONSOLE is off.`,
        "Switch the console on, or name a page of your own dashboard."
      )
    ]
  if (publicUrl === null || url?.origin === URL.parse(publicUrl)?.origin) return []
  return [
    problem(
      `${name} is on ${url?.origin ?? redirectUri}, but LEADLOOM_PUBLIC_URL is ${publicUrl}: owners return to another server.`,
      `Use the same origin in both, and register the redirect URI at the provider: ${guide}`
    )
  ]
}

const judgeDifference = (title: string, { expected, found, name }: UrlDifference): Finding => {
  const theirs = found === null ? `names no ${name}` : `has the ${name} ${visibleLine(found)}`
  return problem(
    `The discovery document of ${title} ${theirs}, but this server uses ${expected}.`,
    `Check LEADLOOM_MICROSOFT_TENANT and LEADLOOM_MICROSOFT_CLOUD. If they are correct, the provider has changed its endpoints: update Leadloom.`
  )
}

/**
 * Judges one client: its provider answers with the endpoints that the server uses, and its redirect URI leads to this
 * server. The secret of the client is not sent, because a wrong host would receive it. Only a sign-in checks it.
 */
export const examineClient = Effect.fnUntraced(function* (
  client: OAuthClient,
  address: ConsoleAddress,
  hide: (text: string) => string
) {
  const title = providerTitles[client.provider]
  const endpoints = yield* Effect.match(probeClient(client), {
    onSuccess: (differences): ReadonlyArray<Finding> =>
      differences.length > 0
        ? differences.map((each) => judgeDifference(title, each))
        : [healthy(`${title} answers with the endpoints of the client ${client.clientId}. Its secret was not sent.`)],
    onFailure: ({ reason }) => [
      problem(
        `The discovery document of ${title} is not available: ${hide(reason)}`,
        "Check the network and LEADLOOM_MICROSOFT_TENANT. Until the provider answers, no owner can sign in, and expired tokens are not renewed."
      )
    ]
  })
  return [...endpoints, ...judgeRedirect(client, address)]
})

/** Checks the operator's OAuth clients at Google and Microsoft. */
export const ownerSignIn: Check = {
  name: "owner sign-in",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const clients = config?.oauthClients ?? []
      if (config === null || clients.length === 0)
        return [healthy("No OAuth client is configured: owners of mailboxes cannot sign in at Google or Microsoft.")]
      const found = yield* Effect.forEach(clients, (client) => examineClient(client, config, hide), { concurrency: 2 })
      return found.flat()
    })
}
