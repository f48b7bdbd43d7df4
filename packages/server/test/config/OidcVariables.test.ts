import { describe, expect, it } from "vitest"
import { readConfig } from "../../src/config/Config.ts"
import type { Environment } from "../../src/config/Variables.ts"

const named = { LEADLOOM_OIDC_ISSUER: "https://login.example.com/realm", LEADLOOM_OIDC_AUDIENCE: "leadloom" }
const firebase = { LEADLOOM_OIDC_PRESET: "firebase", LEADLOOM_OIDC_PROJECT: "my-app-1234" }

const oidcOf = (env: Environment) => {
  const config = readConfig(env)
  return "mistakes" in config ? config : config.oidc
}
const wrong = (env: Environment): ReadonlyArray<string | undefined> => {
  const config = readConfig(env)
  return "mistakes" in config ? config.mistakes.map((line) => line.split(" ")[0]) : []
}

describe("the identity provider of the configuration", () => {
  it("needs issuer and audience and has defaults for the rest", () => {
    expect(oidcOf(named)).toEqual({
      issuer: "https://login.example.com/realm",
      audiences: ["leadloom"],
      clientIds: ["leadloom"],
      jwksUri: null,
      algorithms: ["RS256", "PS256", "ES256", "EdDSA"],
      claims: { role: "role", tenants: "tenants" }
    })
    expect(oidcOf({})).toBeNull()
  })

  it("keeps the issuer unchanged and may have several audiences", () => {
    expect(
      oidcOf({
        LEADLOOM_OIDC_ISSUER: "https://acme.eu.auth0.com/",
        LEADLOOM_OIDC_AUDIENCE: "web, phone",
        LEADLOOM_OIDC_JWKS_URI: "https://keys.example.com/jwks",
        LEADLOOM_OIDC_ALGORITHMS: "ES256,RS256",
        LEADLOOM_OIDC_ROLE_CLAIM: "https://acme.com/role",
        LEADLOOM_OIDC_TENANTS_CLAIM: "app.tenants"
      })
    ).toEqual({
      issuer: "https://acme.eu.auth0.com/",
      audiences: ["web", "phone"],
      clientIds: ["web", "phone"],
      jwksUri: "https://keys.example.com/jwks",
      algorithms: ["RS256", "ES256"],
      claims: { role: "https://acme.com/role", tenants: "app.tenants" }
    })
  })

  it("may have client ids that differ from the audiences, and then accepts only these", () => {
    expect(oidcOf({ ...named, LEADLOOM_OIDC_CLIENT_IDS: "phone-app, web-app" })).toMatchObject({
      audiences: ["leadloom"],
      clientIds: ["phone-app", "web-app"]
    })
  })

  it("is a Firebase project by its preset", () => {
    expect(oidcOf(firebase)).toEqual({
      issuer: "https://securetoken.google.com/my-app-1234",
      audiences: ["my-app-1234"],
      clientIds: ["my-app-1234"],
      jwksUri: "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
      algorithms: ["RS256"],
      claims: { role: "role", tenants: "tenants" }
    })
    expect(oidcOf({ ...firebase, LEADLOOM_OIDC_JWKS_URI: "http://127.0.0.1:9/jwks" })).toMatchObject({
      jwksUri: "http://127.0.0.1:9/jwks",
      algorithms: ["RS256"]
    })
  })

  it.each([
    [{ ...named, LEADLOOM_OIDC_AUDIENCE: " , " }, "LEADLOOM_OIDC_AUDIENCE"],
    [{ LEADLOOM_OIDC_AUDIENCE: "leadloom" }, "LEADLOOM_OIDC_ISSUER"],
    [{ LEADLOOM_OIDC_JWKS_URI: "https://x.example/jwks" }, "LEADLOOM_OIDC_ISSUER"],
    [{ ...named, LEADLOOM_OIDC_ISSUER: "http://login.example.com" }, "LEADLOOM_OIDC_ISSUER"],
    [{ ...named, LEADLOOM_OIDC_ISSUER: "login.example.com" }, "LEADLOOM_OIDC_ISSUER"],
    [{ ...named, LEADLOOM_OIDC_ISSUER: "https://login.example.com?x=1" }, "LEADLOOM_OIDC_ISSUER"],
    [{ ...named, LEADLOOM_OIDC_ISSUER: "https://me:secret@login.example.com" }, "LEADLOOM_OIDC_ISSUER"],
    [{ ...named, LEADLOOM_OIDC_JWKS_URI: "http://keys.example.com" }, "LEADLOOM_OIDC_JWKS_URI"],
    [{ ...named, LEADLOOM_OIDC_JWKS_URI: "file:///etc/passwd" }, "LEADLOOM_OIDC_JWKS_URI"],
    [{ ...named, LEADLOOM_OIDC_ALGORITHMS: "none" }, "LEADLOOM_OIDC_ALGORITHMS"],
    [{ ...named, LEADLOOM_OIDC_ALGORITHMS: "RS256,HS256" }, "LEADLOOM_OIDC_ALGORITHMS"],
    [{ ...firebase, LEADLOOM_OIDC_PRESET: "auth0" }, "LEADLOOM_OIDC_PRESET"],
    [{ ...firebase, LEADLOOM_OIDC_PROJECT: "" }, "LEADLOOM_OIDC_PROJECT"],
    [{ ...firebase, LEADLOOM_OIDC_PROJECT: "../evil" }, "LEADLOOM_OIDC_PROJECT"],
    [{ ...named, LEADLOOM_OIDC_PROJECT: "my-app-1234" }, "LEADLOOM_OIDC_PROJECT"]
  ])("is rejected if invalid: %j", (env, name) => {
    expect(wrong(env)).toEqual([name])
  })
})

describe("the sign-in of the console", () => {
  const secret = { LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-tests" }
  const client = { LEADLOOM_OIDC_CONSOLE_CLIENT_ID: "leadloom" }

  it("needs issuer, audience and the secret of sessions", () => {
    expect(readConfig({ ...named, ...secret, ...client })).toMatchObject({
      consoleSignIn: { issuer: "https://login.example.com/realm", clientId: "leadloom" }
    })
    expect(readConfig({ ...named, ...secret })).toMatchObject({ consoleSignIn: null })
  })

  it.each<[string, Environment]>([
    ["without the secret of sessions", { ...named, ...client }],
    ["without an issuer", { ...secret, ...client }],
    ["with a client whose tokens are rejected", { ...named, ...secret, LEADLOOM_OIDC_CONSOLE_CLIENT_ID: "other" }],
    ["with a client that may not be azp", { ...named, ...secret, ...client, LEADLOOM_OIDC_CLIENT_IDS: "phone" }],
    ["with Firebase", { ...firebase, ...secret, LEADLOOM_OIDC_CONSOLE_CLIENT_ID: "my-app-1234" }]
  ])("is a mistake %s", (_, env) => {
    expect(wrong(env)).toEqual(["LEADLOOM_OIDC_CONSOLE_CLIENT_ID"])
  })
})
