/**
 * The time zones of phone numbers, by telephone code. A code is a country code, or the country code 1 with an area code
 * of the North American numbering plan. Source, read on 2026-11-21: the time zone table of libphonenumber (2026-07-02,
 * `resources/timezones/map_data.txt`). Zones whose clocks are equal from 2026 on have one common name. A code has
 * several zones when their clocks differ.
 */
const zonesOfCodes: ReadonlyArray<readonly [zones: string, codes: string]> = [
  ["Africa/Accra", "220 221 222 223 224 225 226 228 231 232 233 239 245 247 290 354"],
  ["Africa/Cairo", "20"],
  ["Africa/Johannesburg", "249 250 257 258 260 263 264 265 266 267 268 27"],
  ["Africa/Lagos", "216 227 229 234 235 236 237 240 241 242 244"],
  ["Africa/Nairobi", "211 251 252 253 254 255 256 261 269 291 375 90 962 963 964 965 966 967 973 974"],
  ["America/Asuncion", "500 54 594 595 597 598"],
  [
    "America/Chicago",
    [
      "1204 1205 1210 1214 1217 1218 1224 1225 1228 1235 1251 1254 1256 1262 1274 1281 1309 1312 1314",
      "1316 1318 1319 1320 1325 1327 1331 1334 1337 1346 1353 1361 1402 1405 1409 1414 1417 1430 1431",
      "1432 1447 1464 1469 1474 1479 1501 1504 1507 1512 1515 1531 1534 1539 1557 1563 1572 1573 1580",
      "1584 1601 1608 1612 1615 1618 1629 1630 1636 1641 1651 1659 1660 1662 1682 1689 1708 1712 1713",
      "1715 1726 1730 1731 1737 1763 1769 1773 1779 1806 1815 1816 1817 1830 1832 1847 1870 1872 1901",
      "1903 1913 1918 1920 1931 1936 1938 1940 1945 1952 1956 1972 1975 1979 1985 505"
    ].join(" ")
  ],
  ["America/Denver", "1303 1307 1368 1385 1403 1406 1435 1505 1575 1587 1719 1720 1748 1780 1801 1825 1915 1970 1983"],
  ["America/Halifax", "1428 1441 1506 1782 1902"],
  ["America/Jamaica", "1345 1658 1876 507 51 57"],
  [
    "America/Los_Angeles",
    [
      "1206 1209 1213 1236 1253 1257 1279 1310 1323 1341 1350 1360 1369 1408 1415 1424 1425 1442 1458",
      "1503 1509 1510 1530 1559 1562 1564 1604 1619 1626 1628 1650 1657 1661 1669 1672 1702 1707 1714",
      "1725 1738 1747 1760 1778 1805 1818 1820 1831 1840 1858 1909 1916 1925 1949 1951 1971"
    ].join(" ")
  ],
  ["America/Miquelon", "508"],
  [
    "America/New_York",
    [
      "1201 1202 1203 1207 1212 1215 1216 1220 1223 1226 1227 1229 1231 1234 1239 1240 1242 1248 1249",
      "1252 1260 1263 1267 1269 1272 1276 1283 1289 1301 1302 1304 1305 1313 1315 1317 1321 1324 1326",
      "1329 1330 1332 1336 1339 1343 1347 1351 1352 1354 1363 1364 1365 1367 1380 1382 1386 1401 1404",
      "1407 1410 1412 1413 1416 1419 1434 1437 1438 1440 1443 1445 1448 1450 1463 1468 1470 1472 1475",
      "1478 1484 1502 1508 1513 1514 1516 1517 1518 1519 1540 1548 1551 1561 1567 1570 1571 1579 1581",
      "1582 1585 1586 1603 1607 1609 1610 1613 1614 1616 1617 1631 1640 1645 1646 1647 1649 1656 1667",
      "1678 1680 1681 1683 1686 1703 1704 1705 1706 1716 1717 1718 1724 1727 1728 1732 1734 1740 1742",
      "1743 1753 1754 1757 1762 1765 1770 1771 1772 1774 1781 1786 1802 1803 1804 1810 1813 1814 1819",
      "1821 1826 1828 1835 1838 1839 1843 1845 1848 1854 1856 1857 1859 1860 1862 1863 1864 1865 1873",
      "1878 1904 1905 1908 1910 1912 1914 1917 1919 1929 1930 1934 1937 1941 1942 1943 1947 1948 1954",
      "1959 1973 1978 1980 1984 1989 509 53"
    ].join(" ")
  ],
  ["America/Phoenix", "1480 1520 1602 1623"],
  [
    "America/Puerto_Rico",
    [
      "1246 1264 1268 1284 1340 1473 1664 1721 1758 1767 1784 1787 1809 1829 1849 1868 1869 1939 297 58",
      "590 591 592 596 599"
    ].join(" ")
  ],
  ["America/Regina", "1306 1639 501 502 503 504 506"],
  ["Asia/Almaty", "92 960 992 993 998"],
  ["Asia/Anadyr", "674 679 681 688 692"],
  ["Asia/Bangkok", "66 84 855 856"],
  ["Asia/Beirut", "373 961"],
  ["Asia/Bishkek", "246 880 975 996"],
  ["Asia/Calcutta", "91 94"],
  ["Asia/Dubai", "230 248 374 968 971 994 995"],
  ["Asia/Jerusalem", "972"],
  ["Asia/Kabul", "93"],
  ["Asia/Katmandu", "977"],
  ["Asia/Magadan", "677 678 687"],
  ["Asia/Rangoon", "95"],
  ["Asia/Seoul", "670 680 81 82 850"],
  ["Asia/Singapore", "60 63 65 673 852 853 86 886"],
  ["Asia/Tehran", "98"],
  ["Asia/Vladivostok", "1670 1671 675"],
  ["Atlantic/Cape_Verde", "238"],
  ["Europe/Bucharest", "218 30 357 358 359 370 371 372 380 40 970"],
  ["Europe/London", "212 298 353 44"],
  [
    "Europe/Paris",
    [
      "213 31 32 33 350 352 355 356 36 376 377 378 381 382 383 385 386 387 389 39 41 420 421 423 43 45",
      "46 47 48 49"
    ].join(" ")
  ],
  ["Pacific/Apia", "676 685 690"],
  ["Pacific/Honolulu", "1808 682"],
  ["Pacific/Niue", "1684 683"],
  ["Pacific/Norfolk", "672"],
  ["Africa/Johannesburg&Africa/Lagos", "243"],
  ["Africa/Nairobi&Asia/Dubai", "262"],
  ["America/Chicago&America/Denver", "1308 1605 1620 1701 1785"],
  ["America/Chicago&America/New_York", "1219 1270 1423 1574 1606 1807 1812 1850 1906"],
  ["America/Denver&America/Los_Angeles", "1208 1250 1541 1775 1986"],
  ["America/Denver&America/Phoenix", "1928"],
  ["America/Godthab&America/Halifax", "299"],
  ["America/Halifax&America/New_York", "1418"],
  ["America/Jamaica&America/Regina", "593"],
  ["America/Puerto_Rico&America/St_Johns", "1879"],
  ["America/Santiago&Pacific/Easter", "56"],
  ["Asia/Bangkok&Asia/Singapore", "976"],
  ["Asia/Magadan&Asia/Vladivostok", "691"],
  ["Atlantic/Azores&Europe/London", "351"],
  ["Europe/London&Europe/Paris", "34"],
  ["Pacific/Auckland&Pacific/Chatham", "64"],
  ["America/Adak&America/Anchorage&Pacific/Honolulu", "1907"],
  ["America/Halifax&America/Puerto_Rico&America/St_Johns", "1709"],
  ["Asia/Anadyr&Pacific/Apia&Pacific/Kiritimati", "686"],
  ["Asia/Bangkok&Asia/Seoul&Asia/Singapore", "62"],
  ["Pacific/Gambier&Pacific/Honolulu&Pacific/Marquesas", "689"],
  ["America/Asuncion&America/Jamaica&America/Noronha&America/Puerto_Rico", "55"],
  ["America/Chicago&America/Denver&America/Los_Angeles&America/New_York&America/Phoenix", "1867"],
  ["America/Chicago&America/Denver&America/Jamaica&America/Los_Angeles&America/Phoenix&America/Regina", "52"],
  [
    "Asia/Bangkok&Asia/Rangoon&Asia/Singapore&Asia/Vladivostok&Australia/Adelaide&Australia/Eucla&Australia/Lord_Howe&Australia/Sydney",
    "61"
  ],
  [
    "Africa/Nairobi&Asia/Almaty&Asia/Anadyr&Asia/Bangkok&Asia/Bishkek&Asia/Dubai&Asia/Magadan&Asia/Seoul&Asia/Singapore&Asia/Vladivostok&Europe/Bucharest",
    "7"
  ]
]

/**
 * The zones of North American numbers whose area code is not in the table: toll-free numbers, and area codes newer than
 * the table.
 */
const continental = ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"]

const byCode: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  zonesOfCodes.flatMap(([zones, codes]) => codes.split(" ").map((code) => [code, zones.split("&")] as const))
)

/** Returns the possible IANA time zones of an E.164 number. Empty for an unknown code. */
export const zonesOfNumber = (e164: string): ReadonlyArray<string> => {
  const digits = e164.replace(/^\+/u, "")
  if (digits.startsWith("1")) return byCode.get(digits.slice(0, 4)) ?? continental
  for (const length of [3, 2, 1]) {
    const zones = byCode.get(digits.slice(0, length))
    if (zones !== undefined) return zones
  }
  return []
}
