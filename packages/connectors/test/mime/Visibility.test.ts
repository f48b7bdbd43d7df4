import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { htmlToText, sanitizeHtml } from "../../src/mime/Html.ts"

const text = (html: string): string => htmlToText(sanitizeHtml(html).html)
const span = (style: string): string => `<p>a<span style="${style}">secret</span></p>`
const div = (style: string): string => `<p>a</p><div style="${style}">secret</div>`

describe("hidden text is removed", () => {
  it.each([
    ["display", [span("display:none"), span("DISPLAY : none !important"), span("display:none;display:nonsense")]],
    [
      "display, written to deceive",
      [span("display:/**/none"), span("dis\\70lay:n\\6f ne"), span("display:none!important;display:block")]
    ],
    ["visibility", [span("visibility:hidden"), span("visibility:collapse"), "<p>a<b hidden>secret</b></p>"]],
    [
      "opacity",
      [span("opacity:0"), span("opacity:.01"), span("opacity:1%"), span("filter:alpha(opacity=0);filter:opacity(0)")]
    ],
    ["Outlook", [span("mso-hide:all")]],
    [
      "a colour that is clear",
      [
        span("color:transparent"),
        span("color:rgba(0,0,0,0)"),
        span("color:#1230"),
        span("color:hsla(0 0% 0% / 0)"),
        span("color:red;-webkit-text-fill-color:transparent")
      ]
    ],
    [
      "the colour of its background",
      [
        span("color:#fff;background:#fff"),
        span("color:white;background-color:#FEFEFE"),
        span("background:WHITE none;color:rgb(255, 255, 255)"),
        span("color:papayawhip;background:papayawhip"),
        '<p>a</p><div style="background-color:#ffffff"><p style="color:#fff">secret</p></div>',
        '<p>a</p><div style="background:navy"><b>&nbsp;</b><span style="color:#000082">secret</span></div>',
        '<p>a</p><table bgcolor="#ffffff"><tr><td><font color="white">secret</font></td></tr></table>',
        '<p>a</p><div style="color:#fff"><div style="background:#fff">secret</div></div>',
        '<style>.x{}</style><p>a<span class="x" style="color:#fff;background:#fff">secret</span></p>'
      ]
    ],
    [
      "letters too small",
      [
        span("font-size:0"),
        span("font-size:1px"),
        span("font-size:0.7pt"),
        span("font-size:.01em"),
        span("font-size:1%"),
        span("font:0/0 a"),
        span("font:italic 1px/1 Arial"),
        '<p>a<b style="font-size:0"><i style="font-size:120%">secret</i></b></p>'
      ]
    ],
    [
      "a place far off",
      [
        div("position:absolute;left:-9999px"),
        div("position:fixed;top:-1000px"),
        div("position:relative;left:-100em"),
        div("text-indent:-9999px"),
        div("margin-left:-5000px"),
        div("transform:translateX(-9999px)"),
        div("transform:scale(0)")
      ]
    ],
    [
      "a box that shows nothing",
      [
        div("max-height:0;overflow:hidden"),
        div("height:0px;overflow:hidden"),
        div("width:1px;height:1px;overflow:hidden"),
        div("position:absolute;clip:rect(0,0,0,0)"),
        div("position:absolute;clip:rect(1px 1px 1px 1px)"),
        div("clip-path:inset(50%)"),
        div("clip-path:polygon(0 0, 0 0)"),
        div("clip-path:circle(0)")
      ]
    ]
  ])("removes text hidden by %s", (_, mails) => {
    for (const html of mails) expect([html, text(html)]).toEqual([html, "a"])
  })

  it("removes a newsletter preheader", () => {
    const style =
      "display:none;font-size:1px;color:#ffffff;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden"
    expect(text(`<div style="${style}">secret &zwnj;&nbsp;&zwnj;</div><p>a</p>`)).toBe("a")
  })
})

describe("visible text stays", () => {
  it.each([
    ["white on what is not known", '<p><font color="white" size="1">seen</font></p>'],
    ["white on an image", '<div style="background:#fff url(x.jpg)"><p style="color:#fff">seen</p></div>'],
    ["white on an image of old", '<table bgcolor="#fff" background="x.jpg"><td><font color="#fff">seen</font></table>'],
    [
      "white on a gradient",
      '<p style="background-color:#fff;background-image:linear-gradient(red,blue);color:#fff">seen</p>'
    ],
    [
      "white on a colour inside white",
      '<div style="background:#fff"><p style="background:#036;color:#fff">seen</p></div>'
    ],
    [
      "white in a cell of a colour",
      '<table style="background:#fff"><tr><td bgcolor="#003366"><b style="color:#fff">seen</b></table>'
    ],
    [
      "white where a style sheet may say more",
      '<style>.b{background:#00f}</style><div style="background:#fff"><a class="b" style="color:#fff">seen</a></div>'
    ],
    [
      "white laid over something",
      '<div style="background:#fff"><img src="cid:1"><p style="position:absolute;color:#fff">seen</p></div>'
    ],
    ["white on what shines through", '<p style="color:#fff;background:rgba(255,255,255,.3)">seen</p>'],
    ["black in white in white", '<div style="background:#fff;color:#fff"><p style="color:#000">seen</p></div>'],
    [
      "a link, which has a colour of its own",
      '<div style="background:#fff;color:#fff"><a href="https://x.io">seen</a></div>'
    ],
    ["grey on white", '<p style="color:#eee;background:#fff">seen</p>'],
    [
      "text cut out of a background",
      '<h1 style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">seen</h1>'
    ],
    ["a colour that is none", '<p style="color:rgb(0,0);color:calc(1)">seen</p>'],
    ["display that is taken back", '<p style="display:none;display:block">seen</p>'],
    ["what is visible in what is not", '<div style="visibility:hidden"><p style="visibility:visible">seen</p></div>'],
    ["half of the opacity", '<p style="opacity:0.5">seen</p>'],
    ["small letters", '<p style="font-size:6px">seen</p>'],
    ["letters given a size again", '<div style="font-size:0"><p style="font-size:14px">seen</p></div>'],
    ["letters given a size again, as of old", '<div style="font-size:1px"><font size="2">seen</font></div>'],
    ["letters of a share of their size", '<p style="font-size:90%"><b style="font:bold 1em/1.2 Arial">seen</b></p>'],
    ["a hanging indent", '<p style="text-indent:-2em;margin-left:-20px">seen</p>'],
    ["what is placed on the page", '<div style="position:absolute;left:0;top:-10px">seen</div>'],
    ["a place without a position", '<div style="left:-9999px">seen</div>'],
    ["a height that does not clip", '<p style="max-height:0">seen</p>'],
    ["a cell that grows", '<table><tr><td style="height:1px;overflow:hidden">seen</td></tr></table>'],
    ["a line, which has no height", '<span style="height:1px;overflow:hidden">seen</span>'],
    ["a clip that clips nothing", '<div style="clip-path:inset(0%);clip:rect(0,0,0,0)">seen</div>'],
    [
      "properties that only look alike",
      "<p style=\"x-display:none;background:url(display:none);content:'display:none'\">seen</p>"
    ],
    ["what follows hidden text", '<img style="display:none"><br style="display:none"><p style="display:none">x</p>seen']
  ])("%s", (_, html) => {
    expect(text(html)).toBe("seen")
  })
})

describe("any style", () => {
  const pieces =
    "color:|background:|#fff|white|rgb(|)|rgba(0,0,0,0|;|:|!important|/*|*/|\\|\\6e |\"|'|(|url(|font:|font-size:|0|1px|-9999px|em|%| |," +
    "display:|none|clip-path:|inset(|polygon(|transform:|scale(|position:absolute|overflow:hidden|height:|inherit"
  it("is read without an error, and hides nothing outside its element", () => {
    const style = fc.string({ unit: fc.constantFrom(...pieces.split("|")), maxLength: 30 })
    fc.assert(
      fc.property(style, (given) => {
        const escaped = given.replaceAll('"', "&quot;")
        expect(text(`<p>a</p><div style="${escaped}"><b>b</b></div><p>c</p>`)).toMatch(/^a\s+(?:b\s+)?c$/u)
      }),
      { numRuns: 1_000 }
    )
  })

  it("is read in one pass, even with many unclosed brackets", () => {
    const styles = [
      "(".repeat(3_900),
      "/*".repeat(1_900),
      "'\"".repeat(1_900),
      "0 ".repeat(1_900),
      "clip-path:polygon(" + "0 ".repeat(1_900)
    ]
    const html = styles.map((style) => `<p style="color:${style.replaceAll('"', "&quot;")}">a</p>`.repeat(40)).join("")
    expect(text(html)).toMatch(/^a(?:\s+a)*$/u)
  })
})
