import { describe, expect, it } from "vitest"
import { appendTextSignature, insertHtmlSignature, isHtml } from "../../../src/domain/email/InsertSignature.ts"

describe("a body", () => {
  it.each([
    ["Hello", false],
    ["a <b and c> d", false],
    ["Jo <jo@x.example> wrote", false],
    ["if (a < b) return <T>x", false],
    ["<p>Hello", true],
    ["Hello<br>you", true],
    ["Hello<br/>you", true],
    ["<b>Hello</b>", true],
    ["<!DOCTYPE html><title>x", true],
    ['<div class="x">Hello', true],
    ['<img src="cid:1">', true]
  ])("%j is HTML: %s", (text, html) => {
    expect(isHtml(text)).toBe(html)
  })
})

describe("a signature", () => {
  it.each([
    ["<body><p>Hi</p></body>", "<body><p>Hi</p><br><div><i>S</i></div></body>"],
    ["<p>Hi</p>", "<p>Hi</p><br><div><i>S</i></div>"],
    [
      "<body>&lt;/body> quoted: </body> end </BODY></html>",
      "<body>&lt;/body> quoted: </body> end <br><div><i>S</i></div></BODY></html>"
    ]
  ])("is inserted before the last closing body tag of %s", (html, signed) => {
    expect(insertHtmlSignature(html, "<i>S</i>")).toBe(signed)
  })

  it("is escaped in HTML and keeps its lines when it is plain text", () => {
    expect(insertHtmlSignature("<p>Hi</p>", 'A & B <a@b.c>\n"C"')).toBe(
      "<p>Hi</p><br><div>A &amp; B &lt;a@b.c&gt;<br>&quot;C&quot;</div>"
    )
  })

  it("follows the signature delimiter in a plain text body, with or without its own delimiter", () => {
    expect(appendTextSignature("Hi\n", "Jo")).toBe("Hi\n\n-- \nJo")
    expect(appendTextSignature("Hi", "-- \nJo")).toBe("Hi\n\n-- \nJo")
  })

  it("is inserted correctly even if it contains dollar signs", () => {
    expect(insertHtmlSignature("<body>x</body>", "<b>$& $1</b>")).toBe("<body>x<br><div><b>$& $1</b></div></body>")
  })
})
