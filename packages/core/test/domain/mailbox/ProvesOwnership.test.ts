import { describe, expect, it } from "vitest"
import { type LoginFacts, provesOwnership } from "../../../src/domain/mailbox/ProvesOwnership.ts"

const facts: LoginFacts = {
  email: "ann@acme.com",
  username: "ann@acme.com",
  host: "imap.host.example",
  discoveredHost: null,
  isAllowedHost: false
}

describe("a login", () => {
  it.each<readonly [title: string, changes: Partial<LoginFacts>, proves: boolean]>([
    ["at an arbitrary server", {}, false],
    ["at a server of the address's domain", { host: "mail.acme.com" }, true],
    ["at a server of another domain that looks similar", { host: "mail.acme.com.host.example" }, false],
    ["at the discovered server", { discoveredHost: "IMAP.host.example" }, true],
    ["at another server than the discovered one", { discoveredHost: "imap.gmail.com" }, false],
    ["at a server that the operator permits", { isAllowedHost: true }, true],
    ["with the local part as its name", { username: "Ann", host: "mail.acme.com" }, true],
    ["with a tag", { username: "ann+x@acme.com", host: "mail.acme.com" }, true],
    ["with the name of another mailbox", { username: "eve@acme.com", host: "mail.acme.com" }, false],
    ["with the local part of another mailbox", { username: "eve", isAllowedHost: true }, false],
    [
      "with the name of a mailbox of another domain",
      { username: "ann@gmail.com", discoveredHost: "imap.host.example" },
      false
    ]
  ])("%s proves ownership: %j %s", (_, changes, proves) => {
    expect(provesOwnership({ ...facts, ...changes })).toBe(proves)
  })
})
