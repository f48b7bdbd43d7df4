import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { insertSignature, isHtml } from "../../../src/domain/email/Signature.ts"

const html = "<p>Ann</p>"
const text = "Ann\nShop & Co"

const known: ReadonlyArray<readonly [what: string, body: string, signature: string, sent: string]> = [
  [
    "before the closing body tag",
    "<html><body><p>Hi</p></body></html>",
    html,
    "<html><body><p>Hi</p><p>Ann</p></body></html>"
  ],
  ["whatever the case and blanks of the tag", "<BODY>Hi</Body >\n", html, "<BODY>Hi<p>Ann</p></Body >\n"],
  ["at the end of HTML without a body tag", "<p>Hi</p>", html, "<p>Hi</p><p>Ann</p>"],
  [
    "before the last of several body tags",
    "<body>a</body><body>b</body>",
    html,
    "<body>a</body><body>b<p>Ann</p></body>"
  ],
  ["where it belongs behind letters that grow in lower case", "<body>İİ</BODY>", html, "<body>İİ<p>Ann</p></BODY>"],
  ["not inside a comment", "<p>Hi</p><!-- </body> -->", html, "<p>Hi</p><!-- </body> --><p>Ann</p>"],
  [
    "not behind a comment's body tag",
    "<body>Hi</body><!-- </body> -->",
    html,
    "<body>Hi<p>Ann</p></body><!-- </body> -->"
  ],
  ["not inside a script", "<p>Hi</p><script>'</body>'</script>", html, "<p>Hi</p><script>'</body>'</script><p>Ann</p>"],
  [
    "not inside a style",
    "<body>Hi</body><style></body></style>",
    html,
    "<body>Hi<p>Ann</p></body><style></body></style>"
  ],
  ["as lines when it is text and the body is not", "<p>Hi</p>", text, "<p>Hi</p><br><br>Ann<br>Shop &amp; Co"],
  ["after a blank line in plain text", "Hi\nthere", text, "Hi\nthere\n\nAnn\nShop & Co"],
  ["with the line ends of the body", "Hi\r\n", text, "Hi\r\n\r\nAnn\r\nShop & Co"],
  ["alone into an empty body", "", "Ann", "Ann"],
  [
    "as text into plain text",
    "Hi",
    '<div><b>Ann</b> &amp; <a href="https://a.b">Co</a><br/>Tel&nbsp;1 &#x263A;<!-- x --><style>p{}</style></div><p>END</p>',
    "Hi\n\nAnn & Co\nTel 1 ☺\nEND"
  ],
  [
    "without the blanks around its lines",
    "Hi",
    "<p>&nbsp;Ann&nbsp; </p>&nbsp; <p>&nbsp;</p><div>  A&nbsp; B</div>&nbsp;",
    "Hi\n\nAnn\n\nA  B"
  ]
]

const unchanged: ReadonlyArray<readonly [what: string, body: string, signature: string]> = [
  ["when it stands before the closing tag", "<body>Hi<p>Ann</p>\n</body>", html],
  ["when it stands at the end of HTML", "<p>Hi</p><p>Ann</p>\n", html],
  ["when it stands at the end of text", "Hi\n\nAnn\nShop & Co\n", text],
  ["when it is the whole text", "Ann", "Ann"],
  ["when it is blank", "Hi  ", " \n "],
  ["when it has no text to show", "Hi", "<p><img src='x'></p>"]
]

describe("insertSignature", () => {
  it.each(known)("puts it %s", (_, body, signature, sent) => {
    expect(insertSignature(body, signature)).toBe(sent)
  })

  it.each(unchanged)("leaves the body as it is %s", (_, body, signature) => {
    expect(insertSignature(body, signature)).toBe(body)
  })

  it("puts it in again when only quoted history has it", () => {
    const reply = "New text\n\n> Old text\n>\n> Ann"
    expect(insertSignature(reply, "Ann")).toBe(`${reply}\n\nAnn`)
    const quoted = "<body>New<blockquote>Old<p>Ann</p></blockquote></body>"
    expect(insertSignature(quoted, html)).toBe("<body>New<blockquote>Old<p>Ann</p></blockquote><p>Ann</p></body>")
  })

  it("takes a word at the end of a sentence for no signature", () => {
    expect(insertSignature("Regards, Ann", "Ann")).toBe("Regards, Ann\n\nAnn")
  })

  it("inserts once, keeps every other character and never throws, whatever the body", () => {
    const part = fc.constantFrom(
      "<p>",
      "</p>",
      "</body>",
      "<!--",
      "-->",
      "<script>",
      "</script>",
      "Hi ",
      "\n",
      "<",
      "é"
    )
    const body = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(body, fc.constantFrom(html, text, "<b>A</b>"), (written, signature) => {
        const sent = insertSignature(written, signature)
        expect(insertSignature(sent, signature)).toBe(sent)
        const kept = (isHtml(written) ? written : written.trimEnd()).length
        expect(sent.length).toBeGreaterThanOrEqual(kept)
        const ends = (from: string, to: string): boolean =>
          Array.from({ length: from.length + 1 }, (_, at) => at).some(
            (at) => to.startsWith(from.slice(0, at)) && to.endsWith(from.slice(at))
          )
        expect(ends(isHtml(written) ? written : written.trimEnd(), sent)).toBe(true)
      }),
      { numRuns: 1_000 }
    )
  })

  it("needs one pass over hostile HTML", () => {
    for (const part of ["<script>", "<!--", "</body", "<style ", "<"]) {
      const body = `<p>${part.repeat(200_000)}`
      expect(insertSignature(body, html)).toBe(`${body}${html}`)
    }
  })
})

describe("isHtml", () => {
  it.each(["<p>Hi", "a<br>b", "<!DOCTYPE html>", "<DIV class='x'>", "text</b>"])("takes %j for HTML", (body) => {
    expect(isHtml(body)).toBe(true)
  })

  it.each(["", "Hi", "a < b > c", "Ann <ann@example.com>", "<bank> <pin>", "1 <p"])("takes %j for text", (body) => {
    expect(isHtml(body)).toBe(false)
  })
})
