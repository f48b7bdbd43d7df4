import { linksIn, rewriteLinks } from "@leadloom/core/internal/domain/link/RewriteLinks"
import { maxTrackedLinks, maxTrackedUrlLength, readLinkToken } from "@leadloom/core/internal/domain/link/TrackedLink"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const own = "https://leads.example/base"

const found = (html: string) => linksIn(html, own)

describe("linksIn", () => {
  it.each([
    [`<a href="https://a.example/x?y=1&amp;z=2#t">a</a>`, ["https://a.example/x?y=1&z=2#t"]],
    [`<A class="b" href="HTTP://A.example">a</A>`, ["http://a.example/"]],
    [`<a href="https://ä.example/ö">a</a>`, ["https://xn--4ca.example/%C3%B6"]],
    [`<a href="https://a.example/">1</a><a href="https://a.example">2</a>`, ["https://a.example/"]],
    [`<a href="mailto:a@b.example">a</a><a href="tel:1">b</a><a href="cid:x">c</a><a href="/x">d</a>`, []],
    [`<a href="javascript:alert(1)">a</a><a href="data:text/html,x">b</a><a href="//a.example">c</a>`, []],
    [`<a href="https://user:secret@a.example">a</a><a href="https://user@a.example">b</a>`, []],
    [`<a href="https://">a</a><a href="https://a b">b</a><a href="">c</a><a name="d">d</a>`, []],
    [`<img src="https://a.example/i.png"><link href="https://a.example/s.css">https://a.example`, []],
    [`<a href="https://leads.example/base/api/v1/public/unsubscribe/v1.x">a</a>`, []],
    [`<a href="https://LEADS.example:443/base/x">a</a><a href="https://leads.example/base">b</a>`, []],
    [`<a href="https://leads.example/baseball">a</a>`, ["https://leads.example/baseball"]]
  ])("finds the tracked links of %s", (html, urls) => expect(found(html)).toEqual(urls))

  it("has limits", () => {
    const url = (length: number) => `https://a.example/${"a".repeat(length - "https://a.example/".length)}`
    expect(found(`<a href="${url(maxTrackedUrlLength)}">a</a>`)).toHaveLength(1)
    expect(found(`<a href="${url(maxTrackedUrlLength + 1)}">a</a>`)).toEqual([])
    expect(found(`<a href="https://a.example/${"ö".repeat(1_000)}">a</a>`)).toEqual([])
    const many = Array.from({ length: maxTrackedLinks + 1 }, (_, index) => `<a href="https://a.example/${index}">a</a>`)
    expect(found(many.join(""))).toHaveLength(maxTrackedLinks)
  })
})

describe("rewriteLinks", () => {
  const targets = new Map([["https://a.example/x?y=1&z=2", "https://leads.example/l?a=1&b"]])

  it("replaces only the targets of known links, and escapes the new ones", () => {
    const html = (href: string) =>
      `<p title="https://a.example">https://a.example/x <a rel="x" href="${href}">t</a></p>`
    const rewritten = rewriteLinks(html("https://a.example/x?y=1&amp;z=2"), own, targets)
    expect(rewritten).toBe(html("https://leads.example/l?a=1&amp;b"))
    for (const href of ["https://a.example/x?y=1&amp;z=3", "mailto:x@a.example", "https://leads.example/base/u"])
      expect(rewriteLinks(html(href), own, targets)).toBe(html(href))
  })

  it("changes nothing without targets, and keeps every text", () => {
    const part = fc.oneof(
      fc.constantFrom(
        `<a href="`,
        `" class="x">`,
        "</a>",
        "<p>",
        "https://a.example/",
        "&amp;",
        `"`,
        "<",
        ">",
        "href="
      ),
      fc.string()
    )
    const html = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(html, (text) => {
        expect(rewriteLinks(text, own, new Map())).toBe(text)
        const urls = new Map(found(text).map((url) => [url, "https://leads.example/l"]))
        const outside = (whole: string) => whole.replaceAll(/(<a\b[^<>]* href=")[^"<>]*"/giu, '$1"')
        expect(outside(rewriteLinks(text, own, urls))).toBe(outside(text))
      })
    )
  })

  it("takes time in proportion to the length", () => {
    const hostile = `<a ${` href="`.repeat(20_000)}${`<a href="https://a.example" `.repeat(20_000)}`
    expect(found(hostile).length).toBeLessThanOrEqual(maxTrackedLinks)
  })
})

describe("readLinkToken", () => {
  const token = "abcdefghijklmnopqrst_-"
  it("reads the token and the tenant, and nothing else", () => {
    expect(readLinkToken(`${token}.acme`)).toEqual({ tenantId: "acme", token })
    for (const text of ["", token, `${token}.`, `${token}.A`, `${token}.acme.x`, `${token}x.acme`, `.${token}.acme`])
      expect(readLinkToken(text), text).toBeNull()
    for (const tenantId of ["all", "public", "-a", "a".repeat(64)])
      expect(readLinkToken(`${token}.${tenantId}`), tenantId).toBeNull()
  })
})
