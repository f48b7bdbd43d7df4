import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  htmlCharactersKept,
  htmlTagsRead,
  htmlToText,
  sanitizeHtml,
  sanitizeOwnHtml,
  textCharactersKept,
  textCharactersOf,
  textToHtml
} from "../../src/mime/Html.ts"

const clean = (html: string): string => sanitizeHtml(html).html
const text = (html: string): string => htmlToText(clean(html))

describe("sanitizeOwnHtml", () => {
  it("keeps harmless formatting and remote images", () => {
    const html =
      '<p style="color: #333; font-family: Arial, sans-serif; padding: 4px 8px">a</p>' +
      '<a href="https://x.example" style="background-color: rgb(1, 2, 3)">b</a><img src="https://x.example/a.png">'
    expect(sanitizeOwnHtml(html)).toBe(
      '<p style="color: #333; font-family: Arial, sans-serif; padding: 4px 8px">a</p>' +
        '<a href="https://x.example" rel="noopener noreferrer" target="_blank" style="background-color: rgb(1, 2, 3)">b</a>' +
        '<img src="https://x.example/a.png" />'
    )
    expect(clean(html)).not.toContain("style")
  })

  it.each([
    "position: fixed",
    "margin: -100px",
    "background: url(https://evil.example)",
    "color: expression(alert(1))",
    "width: calc(100% - 1px)",
    "behavior: url(#x)",
    "color: red</style><script>alert(1)</script>",
    "@import 'https://evil.example'"
  ])("removes the declaration %s", (declaration) => {
    expect(sanitizeOwnHtml(`<p style="${declaration}; font-size: 12px">a</p>`)).not.toMatch(
      /position|-100|evil|expression|calc|behavior|script|import/u
    )
  })
})

describe("sanitizeHtml", () => {
  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe src=https://evil.example></iframe>",
    '<a href="javascript:alert(1)">x</a>',
    '<a href="jav&#x09;ascript:alert(1)">x</a>',
    '<a href="java\u200Bscript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="//evil.example">x</a>',
    "<form action=https://evil.example><input name=a><button>go</button></form>",
    '<meta http-equiv=refresh content="0;url=https://evil.example">',
    "<base href=https://evil.example>",
    '<link rel=stylesheet href="https://evil.example/a.css">',
    "<style>@import url(https://evil.example)</style>",
    '<p style="background:url(https://evil.example)">x</p>',
    "<table background=https://evil.example><tr><td>x</table>",
    '<object data="https://evil.example"></object><embed src="https://evil.example">',
    "<video poster=https://evil.example src=https://evil.example></video>",
    '<img srcset="https://evil.example 2x">',
    "<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>",
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    "<textarea><img src=x onerror=alert(1)></textarea>",
    "<xmp><img src=x onerror=alert(1)></xmp>",
    "<p id=x class=evil onclick=alert(1)>x</p>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<div hidden><script>alert(1)</script></div>"
  ])("removes active and remote content from %s", (html) => {
    const tags = (clean(html).match(/<[^>]*>/gu) ?? []).join("")
    expect(tags).not.toMatch(
      /script|onerror|onload|onclick|iframe|form|input|meta|base|link|style|evil|svg|object|embed|video|srcset|textarea|xmp/iu
    )
  })

  it("keeps the usual elements of a mail", () => {
    const html = "<h1>Hi</h1><p>a <b>b</b> <i>c</i></p><ul><li>d</li></ul><table><tr><td colspan=2>e</td></tr></table>"
    expect(clean(html)).toBe(
      '<h1>Hi</h1><p>a <b>b</b> <i>c</i></p><ul><li>d</li></ul><table><tr><td colspan="2">e</td></tr></table>'
    )
  })

  it("opens links without opener and referrer", () => {
    expect(clean('<a href="https://shop.example/?a=1&amp;b=2" onclick="x()">go</a>')).toBe(
      '<a href="https://shop.example/?a=1&amp;b=2" rel="noopener noreferrer" target="_blank">go</a>'
    )
    expect(clean('<a href="mailto:a@b.co">m</a><a href="tel:+1">t</a>')).toContain('href="tel:+1"')
  })

  it("keeps embedded images and does not load remote ones", () => {
    expect(clean('<img src="cid:logo" alt="Logo">')).toBe('<img alt="Logo" src="cid:logo" />')
    expect(clean('<img src="https://t.example/p.gif?id=7" width=1 height=1>')).toBe(
      '<img width="1" height="1" data-remote-src="https://t.example/p.gif?id=7" />'
    )
    expect(clean('<img src="http://t.example/p.gif" data-remote-src="javascript:alert(1)">')).toBe("<img />")
    expect(clean('<img src="data:image/svg+xml,<svg onload=alert(1)>">')).toBe("<img />")
  })

  it("keeps the classes of quoted history", () => {
    const html =
      '<div class="gmail_quote x"><blockquote type="cite">q</blockquote></div><div id="divRplyFwdMsg">r</div>'
    expect(clean(html)).toBe(
      '<div class="gmail_quote"><blockquote type="cite">q</blockquote></div><div id="divRplyFwdMsg">r</div>'
    )
  })

  it.each([
    ["display:none", '<p>a<span style="display:none">secret</span></p>'],
    ["display : none !important", '<p>a<span style="color:red; DISPLAY : none !important">secret</span></p>'],
    ["visibility:hidden", '<p>a<span style="visibility:hidden">secret</span></p>'],
    ["opacity:0", '<p>a<span style="opacity:0">secret</span></p>'],
    ["mso-hide:all", '<p>a<span style="mso-hide:all">secret</span></p>'],
    ["the hidden attribute", "<p>a<span hidden>secret</span></p>"],
    ["letters of no size", '<p>a<span style="font-size:0px">sec<b>ret</b></span></p>'],
    ["a clipped box", '<p>a<span style="max-height:0;overflow:hidden">secret</span></p>'],
    ["a hidden parent", '<div style="display:none"><p><b>secret</b></p></div><p>a</p>'],
    ["the title and comments", "<title>secret</title><!-- secret --><p>a</p>"]
  ])("removes text hidden by %s", (_, html) => {
    expect(clean(html)).not.toContain("secret")
    expect(text(html)).toBe("a")
  })

  it("shows text that becomes readable again, and text after hidden text", () => {
    expect(text('<div style="font-size:0"><p style="font-size:14px">seen</p></div>')).toBe("seen")
    expect(text('<img style="display:none"><br style="display:none">seen')).toBe("seen")
    expect(text('<p style="opacity:0.5">seen</p>')).toBe("seen")
    expect(text('<p style="max-height:0">seen</p>')).toBe("seen")
  })

  it("drops invisible characters", () => {
    expect(text("<p>pay&#8203;pal&zwnj;&nbsp;&#847; &shy;x</p>")).toBe("paypal\xA0 x")
  })

  it("cuts documents with too many tags", () => {
    const { html, cut } = sanitizeHtml("<b>x</b>".repeat(htmlTagsRead))
    expect(cut).toBe(true)
    expect(html.length).toBeLessThan(htmlTagsRead * 8)
    expect(sanitizeHtml("<p>x</p>").cut).toBe(false)
  })

  it("emits only safe HTML for any combination of fragments", () => {
    const pieces =
      "<p>|</p>|<a href='https://a.io'>|</a>|<b|>|<!--|-->|&lt;|&|x|\"|'|/|<img src=cid:1>|<script>|</script>|<style>|<svg>|" +
      "<math>|<noscript>|</noscript>|<textarea>|</textarea>|<xmp>|<title>|<iframe>|</iframe>| onerror=x | href=javascript:x |" +
      "<a title=|<!|<?"
    const tag =
      /^<(?:\/(?:p|b|a)|(?:p|b|a)(?: (?:href="https:\/\/a\.io"|rel="noopener noreferrer"|target="_blank"|title(?:="[^"]*")?))*|img(?: src="cid:1")? \/)>$/u
    const noise = fc.constantFrom(...pieces.split("|"))
    fc.assert(
      fc.property(fc.string({ unit: noise }), (html) => {
        for (const found of clean(html).match(/<[^>]*>/gu) ?? []) expect(found).toMatch(tag)
      }),
      { numRuns: 2_000 }
    )
  })
})

describe("htmlToText", () => {
  it("keeps paragraphs, line breaks, lists and quotes", () => {
    const html = "<p>Hi<br>Bob</p><p>two</p><ul><li>a</li><li>b</li></ul><blockquote>quoted<br>more</blockquote>"
    expect(htmlToText(html)).toBe("Hi\nBob\n\ntwo\n\n * a\n * b\n\n> quoted\n> more")
  })

  it("reads links as their text and headings as plain lines", () => {
    expect(htmlToText('<h2>Offer</h2><a href="https://x.io">here</a>')).toBe("Offer\n\nhere")
  })
})

describe("textToHtml", () => {
  it("escapes and keeps lines", () => {
    expect(textToHtml("a <b> & c\nd")).toBe("<div>a &lt;b&gt; &amp; c<br />d</div>")
  })
})

describe("hostile HTML", () => {
  const bounded = (html: string): string => {
    const safe = sanitizeHtml(html).html
    expect(safe.length).toBeLessThan(htmlCharactersKept + 100_000)
    const result = htmlToText(safe)
    expect(result.length).toBeLessThanOrEqual(textCharactersOf(safe))
    return result
  }

  it("marks at most ten levels of quotes, at any depth", () => {
    const lines = bounded("<blockquote>".repeat(190) + "<pre>" + "a\n".repeat(1_000)).split("\n")
    expect(lines[0]).toBe(`${"> ".repeat(10)}a`)
  })

  it("limits the text of deep quotes with many lines", () => {
    expect(bounded("<blockquote>".repeat(190) + "<pre>" + "a\n".repeat(250_000)).length).toBeLessThanOrEqual(
      textCharactersKept
    )
    expect(bounded(`<ul><li>${"<ul><li>".repeat(100)}${"a<br>".repeat(50_000)}`).length).toBeLessThanOrEqual(
      textCharactersKept
    )
  })

  it("reads long runs of blanks", () => {
    expect(bounded(`<p>a${"&nbsp;".repeat(100_000)}b`)).toBe(`a${"\u00a0".repeat(100_000)}b`)
    expect(bounded(`<p>a</p><p>${"&nbsp;".repeat(100_000)}</p>`)).toBe("a")
    expect(bounded(`<p>a${" ".repeat(400_000)}b`)).toBe("a b")
  })

  it("ignores tags beyond the depth limit and reports it", () => {
    const { cut, html } = sanitizeHtml(`${"<b>".repeat(5_000)}x${"</i>".repeat(5_000)}`)
    expect({ cut, text: htmlToText(html) }).toEqual({ cut: true, text: "x" })
  })

  it("keeps attributes up to their limits", () => {
    const many = Array.from({ length: 1_000 }, (_, n) => ` a${n}=x`).join("")
    expect(sanitizeHtml(`<a${many} href="https://a.io">x</a>`).html).toBe("<a>x</a>")
    const href = `https://a.io/${"x".repeat(10_000)}`
    expect(sanitizeHtml(`<a href="${href}">x</a>`).html).toContain(`href="${href.slice(0, 4_096)}"`)
  })

  it("stops at the output limit when escaping lengthens the input", () => {
    const { cut, html } = sanitizeHtml("<p>" + "<".repeat(1_000_000))
    expect(cut).toBe(true)
    expect(html.length).toBeLessThanOrEqual(htmlCharactersKept + 100)
    expect(html.endsWith("&lt;</p>")).toBe(true)
  })
})
