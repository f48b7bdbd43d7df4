import { describe, expect, it } from "vitest"
import { readConfig } from "../../src/config/Config.ts"
import type { Environment } from "../../src/config/Variables.ts"

const redirect = { LEADLOOM_MAILBOX_REDIRECT_URI: "https://dashboard.example.com/email/connected" }
const google = { ...redirect, LEADLOOM_GOOGLE_CLIENT_ID: "client-1", LEADLOOM_GOOGLE_CLIENT_SECRET: "secret-1" }
const microsoft = {
  ...redirect,
  LEADLOOM_MICROSOFT_CLIENT_ID: "client-2",
  LEADLOOM_MICROSOFT_CLIENT_SECRET: "secret-2"
}
const directory = "72f988bf-86f1-41af-91ab-2d7cd011db47"

const clientsOf = (env: Environment) => {
  const config = readConfig(env)
  return "mistakes" in config ? config.mistakes : config.oauthClients
}
const wrong = (env: Environment): ReadonlyArray<string | undefined> => {
  const config = readConfig(env)
  return "mistakes" in config ? config.mistakes.map((line) => line.split(" ")[0]) : []
}

describe("the clients at Google and Microsoft", () => {
  it("exist only with a client id", () => {
    expect(clientsOf({})).toEqual([])
    expect(clientsOf(redirect)).toEqual([])
    expect(clientsOf({ ...google, ...microsoft })).toMatchObject([
      { provider: "google", clientId: "client-1", redirectUri: redirect.LEADLOOM_MAILBOX_REDIRECT_URI },
      { provider: "microsoft", clientId: "client-2" }
    ])
  })

  it("accept all accounts of Microsoft, or those of one directory", () => {
    const authority = "https://login.microsoftonline.com"
    expect(clientsOf(microsoft)).toMatchObject([
      { tokenUrl: `${authority}/common/oauth2/v2.0/token`, issuer: `${authority}/{tenantid}/v2.0` }
    ])
    expect(clientsOf({ ...microsoft, LEADLOOM_MICROSOFT_TENANT: directory })).toMatchObject([
      { tokenUrl: `${authority}/${directory}/oauth2/v2.0/token`, issuer: `${authority}/${directory}/v2.0` }
    ])
  })

  it.each([
    ["LEADLOOM_GOOGLE_CLIENT_SECRET", { ...google, LEADLOOM_GOOGLE_CLIENT_SECRET: undefined }],
    ["LEADLOOM_MICROSOFT_CLIENT_SECRET", { ...microsoft, LEADLOOM_MICROSOFT_CLIENT_SECRET: undefined }],
    ["LEADLOOM_GOOGLE_CLIENT_ID", { ...google, LEADLOOM_GOOGLE_CLIENT_ID: undefined }],
    ["LEADLOOM_MAILBOX_REDIRECT_URI", { ...google, LEADLOOM_MAILBOX_REDIRECT_URI: undefined }],
    ["LEADLOOM_MAILBOX_REDIRECT_URI", { ...google, LEADLOOM_MAILBOX_REDIRECT_URI: "http://dashboard.example.com/" }],
    ["LEADLOOM_MICROSOFT_TENANT", { ...microsoft, LEADLOOM_MICROSOFT_TENANT: "../evil" }]
  ])("need a valid %s", (name, env) => {
    expect(wrong(env)).toEqual([name])
  })
})
