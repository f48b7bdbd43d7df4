import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { isSignedBy, type Signed } from "../../src/twilio/TwilioSignature.ts"

const token = Redacted.make("twilio_vector_token")
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A vector made with twilio@6.2.0. */
const form = {
  AccountSid: "AC00000000000000000000000000000000",
  ApiVersion: "2010-04-01",
  Body: "Hello  world & co é",
  From: "+15550001111",
  MessageSid: "SM00000000000000000000000000000001",
  NumMedia: "0",
  NumSegments: "1",
  SmsMessageSid: "SM00000000000000000000000000000001",
  SmsSid: "SM00000000000000000000000000000001",
  SmsStatus: "received",
  To: "+15551234567"
}
const asForm: Signed = {
  url: "https://svc.example.com/api/v1/webhooks/twilio/t1?x=1",
  body: bytes(new URLSearchParams(form).toString()),
  contentType: "application/x-www-form-urlencoded; charset=utf-8",
  signature: "FUpwwYSm2U5Ttylu+eBDM3c5+Jc="
}
/** A vector made with twilio@6.2.0. */
const asJson: Signed = {
  url: "https://svc.example.com/api/v1/webhooks/twilio/t1?bodySHA256=b4fd85f2ce8bfebc5cbc4a67ac690906953178daf04df41e183024cc01315de4",
  body: bytes('{"MessageSid":"SM1"}'),
  contentType: "application/json",
  signature: "n8MAfR8aBPeEz854zW3bSblRU0s="
}

describe("a webhook of Twilio", () => {
  it("is accepted as the official library signs it, form or JSON", () => {
    expect(isSignedBy([token], asForm)).toBe(true)
    expect(isSignedBy([token], asJson)).toBe(true)
  })

  it("is accepted with the default port in the URL and without it", () => {
    const withPort = asForm.url.replace("example.com", "example.com:443")
    expect(isSignedBy([token], { ...asForm, url: withPort })).toBe(true)
    expect(isSignedBy([token], { ...asForm, url: withPort.replace("443", "8443") })).toBe(true)
    expect(isSignedBy([token], { ...asForm, url: asForm.url.replace("https", "http") })).toBe(false)
  })

  it("is accepted with either token during a rotation", () => {
    expect(isSignedBy([Redacted.make("a newer token"), token], asForm)).toBe(true)
    expect(isSignedBy([Redacted.make("a newer token")], asForm)).toBe(false)
    expect(isSignedBy([], asForm)).toBe(false)
  })

  it.each([
    ["another body", { body: bytes("Body=Hi") }],
    ["another URL", { url: "https://svc.example.com/api/v1/webhooks/twilio/t2?x=1" }],
    ["no signature", { signature: undefined }],
    ["a signature of another length", { signature: "FUpwwYSm2U5Ttylu" }],
    ["another content type", { contentType: "text/plain" }]
  ])("is rejected with %s", (_, changes) => {
    expect(isSignedBy([token], { ...asForm, ...changes })).toBe(false)
  })

  it("is rejected as JSON with another body, or without its hash", () => {
    expect(isSignedBy([token], { ...asJson, body: bytes('{"MessageSid":"SM2"}') })).toBe(false)
    expect(isSignedBy([token], { ...asJson, url: asJson.url.replace(/\?.*/u, "") })).toBe(false)
  })

  it("is rejected with an empty token, with which anyone could sign", () => {
    expect(isSignedBy([Redacted.make("")], asForm)).toBe(false)
  })
})
