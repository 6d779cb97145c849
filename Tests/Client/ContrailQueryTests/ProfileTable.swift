/// Profiles by `Scripts/oracles/profile_table.py`.
///
/// Lines are
/// - `route` name, width and bin in nautical miles, length in nautical miles, points
/// - `report` index, level, severity, EDR × 10,000, age in seconds
/// - `cell` bin, level, worst severity, highest EDR, severity and EDR of the newest, count, age of the newest
enum ProfileTable {
  static let text = """
    route Atlantic 40 10 3017.959631 51.47,-0.45,54,-20,52,-40,45,-60,40.64,-73.78
    report 85180467fffffff 35 3 2672 3296
    report 85180503fffffff 0 4 3456 260
    report 8518050ffffffff 37 3 3249 5857
    report 851805b7fffffff 36 3 5972 443
    report 851806b3fffffff 31 1 526 3398
    report 851806cffffffff 0 0 3112 792
    report 85181437fffffff 36 3 2211 5242
    report 85182897fffffff 0 0 2706 580
    report 851828c3fffffff 35 2 4424 660
    report 85182c2ffffffff 35 0 1907 7098
    report 85182c77fffffff 37 2 5434 6946
    report 85182d03fffffff 31 0 4874 556
    report 85182d0bfffffff 31 4 1804 58
    report 85182d33fffffff 0 0 1936 1362
    report 85182e7bfffffff 35 1 3032 2910
    report 85183373fffffff 36 0 1469 6033
    report 8518a59bfffffff 52 0 4990 5201
    report 8518a68bfffffff 52 4 3509 4780
    report 8518a6cbfffffff 37 0 1341 2548
    report 8518a6d3fffffff 31 2 3242 1072
    report 8518b43bfffffff 35 0 1924 5511
    report 8518b45bfffffff 35 4 1575 5771
    report 8518b4bbfffffff 37 2 3809 3619
    report 8518b6c3fffffff 0 0 2005 3892
    report 8518b6dbfffffff 31 0 5406 1582
    report 851958c3fffffff 37 0 4597 1628
    report 85195a9bfffffff 37 4 4282 2591
    report 85195d0ffffffff 36 3 4409 6123
    report 85195d33fffffff 35 1 3619 4519
    report 85195e33fffffff 52 2 3574 4966
    report 85198967fffffff 52 1 834 5711
    report 85198b2ffffffff 36 2 3453 2066
    report 85198b6bfffffff 36 0 3185 2753
    report 851a00d3fffffff 31 4 1083 5925
    report 851a0473fffffff 31 2 363 5806
    report 851a054bfffffff 36 1 2169 1143
    report 851a059bfffffff 0 4 4441 499
    report 851a05c3fffffff 35 1 3312 5667
    report 851a064bfffffff 37 0 687 5265
    report 851a065bfffffff 36 4 5892 4135
    report 851a10d3fffffff 31 4 2172 1085
    report 851a146bfffffff 37 1 1939 7082
    report 851a154bfffffff 36 1 3806 5468
    report 851a15a3fffffff 37 2 103 6959
    report 851a15c3fffffff 52 2 3268 5502
    report 851a2377fffffff 35 1 474 1973
    report 851a2c3bfffffff 52 1 5397 694
    report 851a2e0ffffffff 35 0 4049 6971
    report 851a2e53fffffff 37 4 3466 1735
    report 851aa043fffffff 37 1 1252 3063
    report 851aa08bfffffff 36 4 1592 5884
    report 851aa28bfffffff 36 1 2249 3603
    report 851aa2cbfffffff 31 3 26 5915
    report 851aa503fffffff 36 4 2059 4532
    report 851aa663fffffff 31 1 1143 6033
    report 851ab043fffffff 0 0 3754 5088
    report 851ab04bfffffff 0 3 5965 2779
    report 851ab053fffffff 37 1 4742 4870
    report 851ab057fffffff 31 3 1045 5097
    report 851ab0c3fffffff 35 1 5744 885
    report 851ab197fffffff 36 0 2030 1840
    report 851ab253fffffff 31 0 873 6376
    report 851ab257fffffff 0 1 262 6594
    report 851ab5bbfffffff 0 0 2025 1633
    report 851b412ffffffff 35 2 1292 3589
    report 851b43affffffff 0 2 1720 5587
    report 851b4ca3fffffff 35 1 4756 2174
    report 851b5323fffffff 0 2 3105 2681
    report 851b5347fffffff 37 1 2983 3533
    report 851b5367fffffff 52 2 5045 6620
    report 851b5893fffffff 31 4 4042 744
    report 851b5c2bfffffff 35 2 5255 4173
    report 851b5c47fffffff 0 3 2172 6423
    report 851b5cb3fffffff 31 1 3770 2864
    report 851b5eb7fffffff 0 1 3441 3190
    report 851b5ecbfffffff 35 3 5794 1253
    report 851b5ecffffffff 0 3 4508 802
    report 851b5ecffffffff 52 4 3805 411
    report 851b6b27fffffff 37 2 1741 5369
    report 851b6b67fffffff 35 2 2290 4883
    report 852a1023fffffff 36 4 2198 2640
    report 852a1083fffffff 0 4 3116 3907
    report 852a1543fffffff 52 3 2266 361
    report 852a15c7fffffff 36 4 3 2489
    report 852a22dbfffffff 35 3 1997 6147
    report 852a260ffffffff 36 1 342 2525
    report 852a2647fffffff 37 0 2866 1836
    report 852a264ffffffff 31 3 5484 937
    report 852a2673fffffff 52 4 64 5471
    report 852a26b3fffffff 0 1 2166 945
    report 852a3307fffffff 31 4 871 7131
    report 852a3307fffffff 35 2 4954 1725
    report 852a3323fffffff 36 3 1559 772
    report 852a3367fffffff 36 2 2025 6880
    report 852a33a3fffffff 52 3 566 6230
    report 852a356bfffffff 0 4 2185 6296
    report 852b084bfffffff 52 4 5422 5885
    report 852b0a47fffffff 31 4 3675 1148
    report 852b0c67fffffff 0 4 336 2844
    report 852b0c8ffffffff 37 0 4906 2655
    report 852b0c8ffffffff 52 1 5574 3458
    report 852b1907fffffff 31 3 2787 2276
    report 852b19b3fffffff 0 3 645 4522
    report 852b2817fffffff 31 3 4827 2278
    report 852b28a3fffffff 31 3 5291 5831
    report 852b2b5bfffffff 36 4 4350 1289
    report 852b2c37fffffff 0 1 4469 295
    report 852b2cabfffffff 37 1 701 1977
    report 852b2cb7fffffff 36 3 5548 6128
    report 852b2d4ffffffff 35 4 4002 2057
    cell 0 35 1 3619 1 3619 1 4519
    cell 2 36 3 4409 3 4409 1 6123
    cell 9 37 0 4597 0 4597 1 1628
    cell 11 52 2 3574 2 3574 1 4966
    cell 13 37 4 4282 4 4282 1 2591
    cell 17 0 0 1936 0 1936 1 1362
    cell 18 31 0 4874 0 4874 1 556
    cell 19 31 4 1804 4 1804 1 58
    cell 22 0 0 2706 0 2706 1 580
    cell 22 35 0 1907 0 1907 1 7098
    cell 24 37 2 5434 2 5434 1 6946
    cell 26 35 2 4424 2 4424 1 660
    cell 31 35 1 3032 1 3032 1 2910
    cell 32 36 3 5972 3 5972 1 443
    cell 35 0 4 3456 4 3456 1 260
    cell 41 35 3 2672 3 2672 1 3296
    cell 44 31 1 526 1 526 1 3398
    cell 48 0 0 3112 0 3112 1 792
    cell 56 36 3 2211 3 2211 1 5242
    cell 64 52 1 834 1 834 1 5711
    cell 68 36 2 3453 2 3453 1 2066
    cell 70 52 0 4990 0 4990 1 5201
    cell 71 36 0 3185 0 3185 1 2753
    cell 82 52 4 3509 4 3509 1 4780
    cell 83 31 2 3242 2 3242 1 1072
    cell 84 37 0 1341 0 1341 1 2548
    cell 92 37 2 3809 2 3809 1 3619
    cell 93 35 0 1924 0 1924 1 5511
    cell 97 35 4 1575 4 1575 1 5771
    cell 101 0 0 2005 0 2005 1 3892
    cell 102 31 0 5406 0 5406 1 1582
    cell 103 37 2 1741 2 1741 1 5369
    cell 105 35 2 2290 2 2290 1 4883
    cell 109 35 1 4756 1 4756 1 2174
    cell 115 35 2 1292 2 1292 1 3589
    cell 120 0 2 1720 2 1720 1 5587
    cell 126 31 1 3770 1 3770 1 2864
    cell 129 35 2 5255 2 5255 1 4173
    cell 131 0 3 2172 3 2172 1 6423
    cell 132 0 1 3441 1 3441 1 3190
    cell 137 0 3 4508 3 4508 1 802
    cell 137 35 3 5794 3 5794 1 1253
    cell 137 52 4 3805 4 3805 1 411
    cell 139 0 2 3105 2 3105 1 2681
    cell 141 52 2 5045 2 5045 1 6620
    cell 146 52 1 5397 1 5397 1 694
    cell 153 35 0 4049 0 4049 1 6971
    cell 155 37 4 3466 4 3466 1 1735
    cell 158 0 4 4441 4 4441 1 499
    cell 160 35 1 3312 1 3312 1 5667
    cell 165 31 2 363 2 363 1 5806
    cell 166 31 4 1083 4 1083 1 5925
    cell 173 36 4 5892 4 5892 1 4135
    cell 174 37 2 687 0 687 2 5265
    cell 178 52 2 3268 2 3268 1 5502
    cell 180 36 1 3806 1 3806 1 5468
    cell 184 31 4 2172 4 2172 1 1085
    cell 184 37 1 1939 1 1939 1 7082
    cell 194 36 4 2059 4 2059 1 4532
    cell 200 36 4 1592 4 1592 1 5884
    cell 203 37 1 1252 1 1252 1 3063
    cell 207 31 1 1143 1 1143 1 6033
    cell 207 36 1 2249 1 2249 1 3603
    cell 209 31 3 26 3 26 1 5915
    cell 210 0 0 2025 0 2025 1 1633
    cell 220 31 3 1045 3 1045 1 5097
    cell 220 35 1 5744 1 5744 1 885
    cell 221 0 0 3754 0 3754 1 5088
    cell 221 37 1 4742 1 4742 1 4870
    cell 222 0 3 5965 3 5965 1 2779
    cell 227 0 1 262 1 262 1 6594
    cell 227 31 0 873 0 873 1 6376
    cell 228 36 3 5548 3 5548 1 6128
    cell 229 37 1 701 1 701 1 1977
    cell 231 0 1 4469 1 4469 1 295
    cell 234 35 4 4002 4 4002 1 2057
    cell 235 31 3 5291 3 5291 1 5831
    cell 236 31 3 4827 3 4827 1 2278
    cell 244 36 4 4350 4 4350 1 1289
    cell 247 37 0 4906 0 4906 1 2655
    cell 247 52 1 5574 1 5574 1 3458
    cell 251 0 4 336 4 336 1 2844
    cell 257 52 4 5422 4 5422 1 5885
    cell 262 31 4 3675 4 3675 1 1148
    cell 263 0 3 645 3 645 1 4522
    cell 266 31 3 2787 3 2787 1 2276
    cell 272 36 1 342 1 342 1 2525
    cell 273 37 0 2866 0 2866 1 1836
    cell 273 52 4 64 4 64 1 5471
    cell 274 31 3 5484 3 5484 1 937
    cell 277 35 3 1997 3 1997 1 6147
    cell 281 0 4 2185 4 2185 1 6296
    cell 287 52 3 566 3 566 1 6230
    cell 289 31 4 871 4 871 1 7131
    cell 289 35 2 4954 2 4954 1 1725
    cell 290 36 3 1559 3 1559 1 772
    cell 292 36 2 2025 2 2025 1 6880
    cell 294 36 4 3 4 3 1 2489
    cell 296 52 3 2266 3 2266 1 361
    cell 298 0 4 3116 4 3116 1 3907
    cell 301 36 4 2198 4 2198 1 2640
    route antimeridian 60 10 783.719198 -17.75,177.45,-15,179.5,-10,-172
    report 859a0803fffffff 52 1 5146 795
    report 859a0807fffffff 36 3 3492 5620
    report 859a080ffffffff 35 1 4823 2652
    report 859a080ffffffff 35 2 5105 5674
    report 859a080ffffffff 52 0 4967 6104
    report 859a0813fffffff 37 3 5200 6670
    report 859a0817fffffff 0 2 1407 6564
    report 859a0837fffffff 37 2 739 6477
    report 859a084bfffffff 52 2 887 5528
    report 859a0857fffffff 37 0 62 1674
    report 859a086ffffffff 52 2 5318 3344
    report 859a0897fffffff 52 2 237 1477
    report 859a08b3fffffff 31 2 4512 112
    report 859a08c3fffffff 36 2 1765 6184
    report 859a0a47fffffff 0 1 3854 4251
    report 859a0a57fffffff 0 1 2426 1863
    report 859a0a7bfffffff 35 4 4863 893
    report 859a0a7bfffffff 37 2 21 2317
    report 859a0a8ffffffff 36 1 5685 2453
    report 859a0aaffffffff 37 0 4804 4600
    report 859a0ab3fffffff 36 2 5935 4829
    report 859a0ab7fffffff 0 0 3537 791
    report 859a0acbfffffff 52 3 1217 3658
    report 859a0acffffffff 0 1 2187 4499
    report 859a0bdbfffffff 52 1 3398 5365
    report 859a0d47fffffff 36 0 4308 3743
    report 859a0d4ffffffff 37 1 4803 1769
    report 859a0d63fffffff 37 0 5058 560
    report 859a0d7bfffffff 35 1 1031 6446
    report 859a0db7fffffff 0 3 2640 4945
    report 859a0dbbfffffff 0 3 962 5306
    report 859a1907fffffff 31 4 23 2271
    report 859a198bfffffff 31 0 4571 6262
    report 859a1997fffffff 36 3 3162 5436
    report 859a1a73fffffff 0 3 721 2576
    report 859a1aa3fffffff 36 2 4658 5087
    report 859a1b13fffffff 35 4 5778 2239
    report 859a1b1bfffffff 36 0 4747 2988
    report 859a1b27fffffff 37 2 1429 900
    report 859a1b37fffffff 52 4 1294 605
    report 859a1b47fffffff 0 2 2936 3070
    report 859a1b57fffffff 0 1 5186 251
    report 859a1b8ffffffff 0 1 1848 7046
    report 859a1b97fffffff 31 4 2963 5100
    report 859a1bcbfffffff 35 0 3577 6918
    report 859a1bcffffffff 37 3 1913 7012
    report 859a640bfffffff 52 4 5416 6585
    report 859a64d7fffffff 37 2 941 6247
    report 859a64dbfffffff 36 2 5492 6087
    report 859a660bfffffff 35 2 2687 982
    report 859a7003fffffff 35 3 5655 2048
    report 859a7057fffffff 31 4 2886 1794
    report 859a708bfffffff 35 3 2219 2511
    report 859a70d3fffffff 36 3 873 1943
    report 859a70dbfffffff 52 4 5905 7090
    report 859a7287fffffff 35 3 2417 6115
    report 859a7293fffffff 36 2 2630 5489
    report 859a72cffffffff 0 3 2260 1554
    report 859a7437fffffff 35 2 3066 1250
    report 859a743bfffffff 52 1 571 2263
    report 859a74b7fffffff 31 4 3116 3690
    report 859a74b7fffffff 37 4 695 430
    report 859a750bfffffff 31 3 4515 1184
    report 859a755bfffffff 36 2 5511 6135
    report 859a75b7fffffff 36 0 2356 4918
    report 859a75cffffffff 0 3 153 3766
    report 859a7637fffffff 52 3 2230 4099
    report 859a764ffffffff 37 3 3730 2636
    report 859a766bfffffff 35 4 3986 4316
    report 859a7693fffffff 35 3 934 6734
    report 859a76a7fffffff 37 1 1392 1434
    report 859ae4d7fffffff 36 0 1034 4114
    report 859af497fffffff 31 1 2176 6771
    report 859af4b3fffffff 36 4 3313 5812
    report 859b4817fffffff 35 0 5654 3035
    report 859b481bfffffff 52 3 2361 5427
    report 859b488bfffffff 36 3 2792 1289
    report 859b48d3fffffff 0 1 21 3346
    report 859b4a0bfffffff 52 0 2229 3629
    report 859b4a13fffffff 35 3 951 796
    report 859b4a17fffffff 52 4 4492 5833
    report 859b4a4bfffffff 37 2 4997 1813
    report 859b4a77fffffff 31 0 3555 806
    report 859b4a87fffffff 35 4 4662 2364
    report 859b4ab7fffffff 52 3 994 236
    report 859b4ad7fffffff 36 2 5462 76
    report 859b4bd3fffffff 0 1 5256 5238
    report 859b4c2bfffffff 52 1 4076 4777
    report 859b4c47fffffff 52 3 583 5631
    report 859b4c4ffffffff 0 0 2638 4983
    report 859b4c77fffffff 52 0 1242 1222
    report 859b4ca3fffffff 31 1 2167 5410
    report 859b4ca3fffffff 52 3 4309 931
    report 859b4cbbfffffff 31 3 840 7149
    report 859b4d9bfffffff 52 4 2470 3752
    report 859b4e0ffffffff 37 4 5472 6604
    report 859b5903fffffff 36 4 4349 2816
    report 859b592ffffffff 35 2 50 1486
    report 859b592ffffffff 52 4 4809 169
    report 859b5953fffffff 36 4 9 5387
    report 859b597bfffffff 35 0 4389 6243
    report 859b59abfffffff 37 4 5026 5529
    report 859b5b13fffffff 35 3 4141 4959
    report 859b5b17fffffff 31 1 5379 3950
    report 859b5b37fffffff 31 4 2997 4348
    report 859b5b63fffffff 37 1 2247 372
    report 859b5b73fffffff 52 2 179 6799
    report 859b5b77fffffff 52 4 3113 2594
    report 859b5d27fffffff 35 0 5617 3009
    report 859b5d27fffffff 36 2 3715 3266
    cell 0 52 4 2470 4 2470 1 3752
    cell 1 31 3 2167 1 2167 2 5410
    cell 1 52 3 4309 3 4309 1 931
    cell 4 52 1 4076 0 1242 2 1222
    cell 5 0 0 2638 0 2638 1 4983
    cell 5 52 3 583 3 583 1 5631
    cell 7 0 1 21 1 21 1 3346
    cell 7 35 0 5654 0 5654 1 3035
    cell 7 36 3 2792 3 2792 1 1289
    cell 8 52 3 2361 3 2361 1 5427
    cell 11 52 3 994 3 994 1 236
    cell 12 0 1 5256 1 5256 1 5238
    cell 12 35 4 4662 4 4662 1 2364
    cell 13 35 3 951 3 951 1 796
    cell 13 36 2 5462 2 5462 1 76
    cell 13 52 4 4492 4 4492 1 5833
    cell 15 31 0 3555 0 3555 1 806
    cell 15 52 0 2229 0 2229 1 3629
    cell 17 37 2 4997 2 4997 1 1813
    cell 18 37 2 941 2 941 1 6247
    cell 19 36 2 5492 2 5492 1 6087
    cell 19 37 4 5026 4 5026 1 5529
    cell 20 52 4 5416 4 5416 1 6585
    cell 21 35 2 50 2 50 1 1486
    cell 21 36 4 4349 4 4349 1 2816
    cell 21 52 4 4809 4 4809 1 169
    cell 23 35 0 4389 0 4389 1 6243
    cell 26 31 4 5379 1 5379 2 3950
    cell 27 35 3 4141 3 4141 1 4959
    cell 28 52 4 3113 4 3113 1 2594
    cell 29 37 1 2247 1 2247 1 372
    cell 29 52 2 179 2 179 1 6799
    cell 30 31 4 3116 4 3116 1 3690
    cell 30 37 4 695 4 695 1 430
    cell 31 0 3 153 3 153 1 3766
    cell 32 35 2 3066 2 3066 1 1250
    cell 33 36 2 5511 2 5511 1 6135
    cell 34 52 1 571 1 571 1 2263
    cell 36 35 3 2219 3 2219 1 2511
    cell 37 36 3 873 3 873 1 1943
    cell 37 37 1 1392 1 1392 1 1434
    cell 38 52 4 5905 4 5905 1 7090
    cell 39 52 3 2230 3 2230 1 4099
    cell 41 36 2 2630 2 2630 1 5489
    cell 43 0 3 2640 3 2640 1 4945
    cell 43 35 4 3986 4 3986 1 4316
    cell 43 37 3 3730 3 3730 1 2636
    cell 44 0 3 2260 3 2260 1 1554
    cell 45 0 3 962 3 962 1 5306
    cell 48 36 0 4308 0 4308 1 3743
    cell 48 37 0 5058 0 5058 1 560
    cell 49 35 1 1031 1 1031 1 6446
    cell 49 37 1 4803 1 4803 1 1769
    cell 50 31 2 4512 2 4512 1 112
    cell 50 52 2 237 2 237 1 1477
    cell 51 37 2 739 2 739 1 6477
    cell 52 0 2 1407 2 1407 1 6564
    cell 52 36 3 3492 3 3492 1 5620
    cell 52 37 3 5200 3 5200 1 6670
    cell 53 35 2 5105 1 4823 2 2652
    cell 53 36 2 1765 2 1765 1 6184
    cell 53 52 1 5146 1 5146 2 795
    cell 54 37 0 62 0 62 1 1674
    cell 55 52 2 5318 2 5318 1 3344
    cell 56 0 0 3537 0 3537 1 791
    cell 56 52 2 887 2 887 1 5528
    cell 57 36 2 5935 2 5935 1 4829
    cell 57 37 0 4804 0 4804 1 4600
    cell 57 52 1 3398 1 3398 1 5365
    cell 58 36 1 5685 1 5685 1 2453
    cell 60 0 1 2187 1 2187 1 4499
    cell 61 0 1 3854 1 2426 2 1863
    cell 61 52 3 1217 3 1217 1 3658
    cell 62 35 4 4863 4 4863 1 893
    cell 62 37 2 21 2 21 1 2317
    cell 63 36 3 3162 3 3162 1 5436
    cell 65 31 4 4571 4 23 2 2271
    cell 70 31 4 2963 4 2963 1 5100
    cell 71 0 1 1848 1 1848 1 7046
    cell 71 52 4 1294 4 1294 1 605
    cell 72 35 4 5778 4 5778 1 2239
    cell 73 36 0 4747 0 4747 1 2988
    cell 73 37 3 1913 3 1913 1 7012
    cell 74 0 2 5186 1 5186 2 251
    cell 74 35 0 3577 0 3577 1 6918
    cell 76 31 1 2176 1 2176 1 6771
    cell 76 36 4 3313 4 3313 1 5812
    route over-the-pole 80 25 723.692406 84,30,84,-150
    report 85005073fffffff 35 2 4222 3262
    report 85005207fffffff 35 2 5374 5721
    report 85005227fffffff 37 3 910 6358
    report 8500522ffffffff 35 2 5958 6708
    report 8500522ffffffff 37 4 166 3198
    report 85005243fffffff 35 4 2995 6184
    report 8500528bfffffff 52 4 3114 1210
    report 85005303fffffff 37 3 1220 4966
    report 85005347fffffff 0 2 1980 3821
    report 85005a43fffffff 31 0 1111 6986
    report 8500e193fffffff 52 3 4306 3365
    report 8500e53bfffffff 52 1 5779 3842
    report 8500e5a7fffffff 36 0 5586 6926
    report 8500e8a3fffffff 36 4 4282 4995
    report 8500e8a7fffffff 31 1 4047 215
    report 8500e90ffffffff 52 4 2248 1025
    report 8500e92bfffffff 31 0 4181 5187
    report 8500e947fffffff 31 3 5234 6503
    report 8500e947fffffff 52 1 4088 4241
    report 8500e947fffffff 52 2 1196 1127
    report 8500e96ffffffff 37 3 4085 2527
    report 8500e977fffffff 37 4 309 5422
    report 8500e9affffffff 37 4 2378 2457
    report 8500e9b3fffffff 36 2 3930 2857
    report 8500e9cbfffffff 31 3 3404 3966
    report 8500ec03fffffff 35 3 4936 5879
    report 8500ec07fffffff 52 1 2834 4250
    report 8500ec47fffffff 36 3 2308 6374
    report 8500ec67fffffff 37 2 4617 337
    report 8500ec73fffffff 37 0 371 318
    report 8500ec8bfffffff 0 0 2377 3146
    report 8500ecaffffffff 52 0 4889 3887
    report 8500ecc3fffffff 37 0 3242 7131
    report 8500eccbfffffff 36 3 2771 5561
    report 8500ed07fffffff 31 3 357 3365
    report 8500ed0ffffffff 52 0 4079 5137
    report 8500ed4ffffffff 35 1 2438 6317
    report 8500ed53fffffff 37 0 1017 4244
    report 850304cffffffff 36 1 5611 3326
    report 8503060bfffffff 35 1 3602 559
    report 850306c3fffffff 31 0 4288 2954
    report 850306c3fffffff 37 1 4848 4756
    report 85031003fffffff 31 2 5262 607
    report 85031053fffffff 52 0 1562 155
    report 85031053fffffff 52 4 2168 5334
    report 8503105bfffffff 52 1 2343 2924
    report 85031063fffffff 52 1 2961 4167
    report 85031083fffffff 52 0 4766 6022
    report 85031093fffffff 37 2 5265 1434
    report 850310bbfffffff 36 0 2403 1651
    report 850310dbfffffff 52 0 5781 1131
    report 85031237fffffff 35 4 840 5827
    report 8503127bfffffff 35 2 133 2925
    report 85031287fffffff 0 1 2234 3680
    report 850312c7fffffff 31 2 4732 5907
    report 850312cbfffffff 0 1 550 1933
    report 85031407fffffff 36 2 1199 2379
    report 8503142ffffffff 35 3 2575 5321
    report 85031433fffffff 0 2 2713 5519
    report 8503143bfffffff 31 2 3842 6841
    report 8503148ffffffff 37 4 4360 4012
    report 8503155bfffffff 0 3 419 4671
    report 8503159bfffffff 0 2 4578 3085
    report 85031637fffffff 37 4 973 1054
    report 8503163bfffffff 52 3 5175 1493
    report 85031647fffffff 35 2 1019 6548
    report 8503204ffffffff 35 2 2829 3266
    report 8503208bfffffff 35 0 4133 5293
    report 85032213fffffff 31 3 2863 218
    report 85032257fffffff 52 3 4304 3086
    report 8503228bfffffff 0 0 3020 6813
    report 8503229bfffffff 0 3 1097 2166
    report 850322a3fffffff 35 1 3219 5050
    report 850322c7fffffff 35 4 460 2883
    report 850322d7fffffff 31 4 5241 4815
    report 85032407fffffff 31 1 4953 1133
    report 85032417fffffff 52 0 3684 6634
    report 8503242ffffffff 37 3 1263 1329
    report 85032433fffffff 36 4 2334 6163
    report 8503246bfffffff 35 3 1757 5012
    report 85032477fffffff 31 1 1269 632
    report 8503248bfffffff 0 4 4866 4153
    report 8503248ffffffff 36 3 2777 1530
    report 850324a3fffffff 37 1 5013 706
    report 850324a7fffffff 52 0 614 5498
    report 850324abfffffff 37 2 4475 2902
    report 850324b7fffffff 37 4 1864 5909
    report 85032603fffffff 36 0 5954 7127
    report 85032633fffffff 52 1 3361 4110
    report 85032637fffffff 37 3 1972 1762
    report 8503263bfffffff 31 3 668 3071
    report 8503265bfffffff 36 4 5267 5204
    report 85032673fffffff 31 4 2406 2631
    report 85033063fffffff 52 4 765 5292
    report 8503311bfffffff 36 4 5359 5509
    report 85033137fffffff 0 1 5144 4047
    report 8503318ffffffff 36 2 3047 3636
    report 850331a7fffffff 0 3 4130 3689
    report 850331bbfffffff 35 0 2700 774
    report 850331cffffffff 36 4 1235 506
    report 850331d7fffffff 52 4 1231 2730
    report 85033323fffffff 52 1 255 1169
    report 8503336ffffffff 35 2 1476 1754
    report 8503338ffffffff 31 2 1616 1421
    report 850333a3fffffff 36 4 4391 134
    report 850333abfffffff 31 2 3516 12
    report 850333cbfffffff 52 2 4997 3966
    report 85033533fffffff 35 2 998 4697
    report 850335affffffff 37 2 676 5956
    report 850335bbfffffff 0 2 1766 6840
    cell 0 36 0 5586 0 5586 1 6926
    cell 1 35 4 2995 4 2995 1 6184
    cell 1 52 4 3114 4 3114 1 1210
    cell 2 35 2 5374 2 5374 1 5721
    cell 3 0 0 2377 0 2377 1 3146
    cell 3 35 2 5958 2 5958 1 6708
    cell 3 36 3 2771 3 2771 1 5561
    cell 3 37 4 3242 4 166 3 3198
    cell 4 0 2 1980 2 1980 1 3821
    cell 4 35 3 4936 3 4936 1 5879
    cell 4 36 3 2308 3 2308 1 6374
    cell 4 52 1 2834 1 2834 1 4250
    cell 5 37 2 4617 0 371 2 318
    cell 5 52 0 4889 0 4889 1 3887
    cell 6 31 3 357 3 357 1 3365
    cell 6 35 1 2438 1 2438 1 6317
    cell 6 37 0 1017 0 1017 1 4244
    cell 6 52 0 4079 0 4079 1 5137
    cell 7 31 1 4047 1 4047 1 215
    cell 7 36 4 4282 4 4282 1 4995
    cell 8 31 3 3404 3 3404 1 3966
    cell 8 36 2 3930 2 3930 1 2857
    cell 9 31 3 5234 3 5234 1 6503
    cell 9 37 4 2378 4 2378 2 2457
    cell 9 52 4 4088 4 2248 3 1025
    cell 10 31 0 4181 0 4181 1 5187
    cell 10 37 4 5013 1 5013 3 706
    cell 10 52 0 614 0 614 1 5498
    cell 11 0 4 4866 4 4866 1 4153
    cell 11 31 1 4953 1 4953 1 1133
    cell 11 36 4 2777 3 2777 2 1530
    cell 11 37 2 4475 2 4475 1 2902
    cell 11 52 0 3684 0 3684 1 6634
    cell 12 31 1 1269 1 1269 1 632
    cell 12 37 3 1263 3 1263 1 1329
    cell 13 35 3 4133 3 1757 2 5012
    cell 14 31 3 668 3 668 1 3071
    cell 14 35 2 2829 2 2829 1 3266
    cell 14 36 0 5954 0 5954 1 7127
    cell 14 37 3 1972 3 1972 1 1762
    cell 14 52 1 3361 1 3361 1 4110
    cell 15 0 3 3020 3 1097 2 2166
    cell 15 31 4 5241 4 2406 2 2631
    cell 15 35 1 3219 1 3219 1 5050
    cell 16 0 2 1766 2 1766 1 6840
    cell 16 31 3 2863 3 2863 1 218
    cell 16 35 4 998 4 460 2 2883
    cell 16 37 2 676 2 676 1 5956
    cell 16 52 3 4304 3 4304 1 3086
    cell 18 0 3 5144 3 4130 2 3689
    cell 18 35 0 2700 0 2700 1 774
    cell 18 36 2 3047 2 3047 1 3636
    cell 18 52 4 1231 4 1231 1 2730
    cell 19 36 4 5359 4 1235 2 506
    cell 20 31 2 4288 2 1616 2 1421
    cell 20 36 4 4391 4 4391 1 134
    cell 20 37 1 4848 1 4848 1 4756
    cell 21 31 2 3516 2 3516 1 12
    cell 21 52 2 4997 1 255 2 1169
    cell 22 0 2 4578 2 4578 1 3085
    cell 22 35 2 1476 2 1476 1 1754
    cell 23 37 4 4360 4 4360 1 4012
    cell 24 0 3 2713 3 419 2 4671
    cell 24 31 2 3842 2 3842 1 6841
    cell 24 35 3 2575 3 2575 1 5321
    cell 24 36 2 1199 2 1199 1 2379
    cell 25 36 0 2403 0 2403 1 1651
    cell 25 37 2 5265 2 5265 1 1434
    cell 25 52 0 4766 0 4766 1 6022
    cell 26 31 2 5262 2 5262 1 607
    cell 26 37 4 973 4 973 1 1054
    cell 26 52 4 5781 0 1562 3 155
    cell 27 0 1 2234 1 2234 1 3680
    cell 27 52 3 5175 3 5175 3 1493
    cell 28 0 1 550 1 550 1 1933
    cell 28 31 2 4732 2 4732 1 5907
    cell 28 35 4 840 2 133 2 2925
    route there-and-back 20 10 253.992673 10,0,12,1,10,0.7
    report 85598a0bfffffff 52 4 1810 3387
    report 85598a43fffffff 35 3 3760 4628
    report 85598a43fffffff 36 4 3283 4377
    report 85598a43fffffff 37 1 5128 5560
    report 85598a43fffffff 37 2 4730 4898
    report 85598a43fffffff 52 4 1115 2461
    report 85598a4bfffffff 35 3 1195 518
    report 85598a4bfffffff 36 3 807 6576
    report 85598a53fffffff 36 3 693 5937
    report 85598a57fffffff 36 1 4441 5257
    report 85598a57fffffff 36 4 1985 2669
    report 85598a5bfffffff 0 1 4737 598
    report 85598a5bfffffff 36 2 1455 3262
    report 8559982ffffffff 0 0 42 2525
    report 8559982ffffffff 0 2 3407 703
    report 8559982ffffffff 37 4 4197 3342
    report 85599867fffffff 35 2 2810 3730
    report 8559986ffffffff 0 4 5935 6794
    report 8559986ffffffff 31 1 5671 4643
    report 8559986ffffffff 31 4 5765 1675
    report 8559990bfffffff 52 0 185 6956
    report 8559990bfffffff 52 1 1685 2280
    report 85599913fffffff 31 2 1665 2705
    report 85599913fffffff 35 3 4296 2611
    report 85599913fffffff 36 0 4607 3380
    report 85599917fffffff 31 4 3879 1974
    report 85599917fffffff 36 0 5067 2419
    report 8559991bfffffff 0 1 1688 551
    report 8559991bfffffff 36 3 4221 2686
    report 85599943fffffff 36 4 301 6477
    report 85599943fffffff 52 0 263 6631
    report 85599947fffffff 35 2 2338 5291
    report 85599947fffffff 36 0 137 4336
    report 85599957fffffff 31 2 2563 3390
    report 85599957fffffff 36 3 1378 6002
    report 8559995bfffffff 31 1 415 5487
    report 8559995bfffffff 36 0 2958 2061
    report 85599973fffffff 35 0 75 2444
    report 85599973fffffff 35 4 5703 2225
    report 85599977fffffff 52 2 4448 4616
    report 8559997bfffffff 0 0 2444 3792
    report 8559997bfffffff 35 1 5859 3466
    report 85599983fffffff 35 3 3819 4371
    report 85599983fffffff 36 1 5646 5932
    report 85599983fffffff 37 3 1468 876
    report 85599983fffffff 52 0 5355 7030
    report 85599987fffffff 36 0 86 807
    report 85599987fffffff 37 1 4642 6837
    report 85599987fffffff 37 2 2108 6253
    report 85599987fffffff 37 4 5633 4712
    report 8559998bfffffff 31 3 5830 6421
    report 8559998bfffffff 52 4 362 4613
    report 85599993fffffff 31 2 4530 3075
    report 85599993fffffff 37 0 895 6299
    report 85599997fffffff 31 1 4227 1429
    report 855999b3fffffff 35 0 4619 1636
    report 855999c3fffffff 0 1 1556 6074
    report 855999c7fffffff 36 0 5592 5421
    report 855999c7fffffff 52 4 5656 4099
    report 855999cbfffffff 37 3 455 3714
    report 855999cbfffffff 52 3 5310 2107
    report 855999cffffffff 0 3 5914 5707
    report 855999cffffffff 35 4 5524 6203
    report 855999cffffffff 36 0 5030 1616
    report 855999cffffffff 36 4 5235 2567
    report 855999cffffffff 37 4 323 7156
    report 855999cffffffff 52 0 3351 5513
    report 855999d7fffffff 36 4 3060 3406
    report 855999d7fffffff 37 1 3750 876
    report 85599a23fffffff 31 3 5348 7195
    report 85599a27fffffff 0 0 52 3378
    report 85599a27fffffff 31 0 2136 4532
    report 85599a27fffffff 31 0 3252 6454
    report 85599a27fffffff 31 3 3067 3133
    report 85599a27fffffff 37 1 2996 2670
    report 85599a2ffffffff 35 2 2473 4771
    report 85599a2ffffffff 36 2 4635 7028
    report 85599b07fffffff 31 4 3834 2235
    report 85599b0ffffffff 31 1 2702 1884
    report 85599b0ffffffff 35 2 3722 5253
    report 85599b0ffffffff 36 4 5765 2963
    report 85599b0ffffffff 37 0 5957 3781
    report 85599b1bfffffff 37 3 2673 242
    report 85599b53fffffff 0 0 3580 1901
    report 85599b53fffffff 31 0 1147 4127
    report 85599b53fffffff 35 3 5373 2100
    report 85599b5bfffffff 37 0 565 3867
    report 85599b83fffffff 0 4 3787 5511
    report 85599b87fffffff 35 4 3112 6586
    report 85599b8bfffffff 52 4 1777 3927
    report 85599b93fffffff 52 1 74 1791
    report 85599b9bfffffff 0 4 4899 6426
    report 85599b9bfffffff 52 4 5763 6306
    report 85599ba3fffffff 0 3 2705 5876
    report 85599ba3fffffff 37 3 952 5572
    report 85599babfffffff 31 1 3773 2835
    report 85599babfffffff 52 1 508 5470
    report 85599baffffffff 36 1 3318 5158
    report 85599bb7fffffff 0 1 4401 3219
    report 85599bb7fffffff 52 4 3958 5400
    report 85599bbbfffffff 37 4 1389 5614
    report 85599bbbfffffff 52 1 2027 5573
    report 85599bc3fffffff 37 4 1656 4691
    report 85599bcbfffffff 37 1 4383 6051
    report 85599bcbfffffff 37 3 459 5216
    report 85599bcffffffff 0 1 4808 1181
    report 85599bd7fffffff 31 3 2650 2032
    report 85599bd7fffffff 37 4 2067 6678
    report 85599bd7fffffff 52 0 2004 6066
    report 85599d2ffffffff 35 2 5035 1809
    cell 0 31 3 5348 3 5348 1 7195
    cell 0 35 2 2473 2 2473 1 4771
    cell 0 36 2 4635 2 4635 1 7028
    cell 0 37 0 565 0 565 1 3867
    cell 1 0 0 3580 0 3580 2 1901
    cell 1 31 3 3252 3 3067 4 3133
    cell 1 35 3 5373 3 5373 1 2100
    cell 1 37 1 2996 1 2996 1 2670
    cell 2 0 1 4808 1 4808 1 1181
    cell 2 37 4 4383 4 1656 3 4691
    cell 3 31 3 2650 3 2650 1 2032
    cell 3 37 4 2067 4 2067 1 6678
    cell 3 52 0 2004 0 2004 1 6066
    cell 4 0 4 5935 4 3787 3 5511
    cell 4 31 4 5765 4 5765 2 1675
    cell 4 52 4 5763 4 1777 2 3927
    cell 5 52 1 74 1 74 1 1791
    cell 6 0 2 3407 2 3407 2 703
    cell 6 31 1 415 1 415 1 5487
    cell 6 36 0 2958 0 2958 1 2061
    cell 6 37 4 4197 4 4197 1 3342
    cell 7 37 3 455 3 455 1 3714
    cell 7 52 3 5310 3 5310 1 2107
    cell 8 0 3 5914 1 1688 3 551
    cell 8 35 4 5524 4 5524 1 6203
    cell 8 36 4 5592 0 5030 4 1616
    cell 8 37 4 323 4 323 1 7156
    cell 8 52 4 5656 4 5656 2 4099
    cell 9 31 3 5830 2 1665 2 2705
    cell 9 35 3 4296 3 4296 1 2611
    cell 9 36 4 4607 0 4607 2 3380
    cell 9 37 1 3750 1 3750 1 876
    cell 9 52 4 362 4 362 1 4613
    cell 10 35 3 3819 3 3819 1 4371
    cell 10 36 1 5646 1 5646 1 5932
    cell 10 37 3 1468 3 1468 1 876
    cell 10 52 0 5355 0 5355 1 7030
    cell 11 31 2 4530 1 4227 2 1429
    cell 11 35 3 5035 3 1195 2 518
    cell 11 36 3 807 0 86 2 807
    cell 11 37 4 5633 4 5633 4 4712
    cell 12 0 1 4737 1 4737 1 598
    cell 12 36 2 1455 2 1455 1 3262
    cell 13 36 4 4441 4 1985 3 2669
    cell 14 0 1 4737 1 4737 1 598
    cell 14 35 3 3760 3 1195 2 518
    cell 14 36 4 3283 2 1455 3 3262
    cell 14 37 2 5128 2 4730 2 4898
    cell 14 52 4 1115 4 1115 1 2461
    cell 15 31 1 4227 1 4227 1 1429
    cell 15 35 3 4619 0 4619 2 1636
    cell 15 36 1 5646 0 86 2 807
    cell 15 37 4 5633 3 1468 4 876
    cell 15 52 0 5355 0 5355 1 7030
    cell 16 31 3 5830 3 5830 1 6421
    cell 16 52 4 362 4 362 1 4613
    cell 17 31 4 3879 4 3879 2 1974
    cell 17 35 3 4296 3 4296 1 2611
    cell 17 36 0 5067 0 5067 2 2419
    cell 18 0 1 1688 1 1688 1 551
    cell 18 31 2 2563 2 2563 1 3390
    cell 18 36 3 4221 3 4221 2 2686
    cell 18 52 1 1685 1 1685 2 2280
    cell 19 35 4 5703 4 5703 3 2225
    cell 19 36 4 301 0 137 2 4336
    cell 19 52 0 263 0 263 1 6631
    cell 20 0 0 2444 0 2444 1 3792
    cell 20 35 1 5859 1 5859 1 3466
    cell 21 0 3 4401 1 4401 2 3219
    cell 21 37 4 1389 3 952 2 5572
    cell 21 52 4 3958 4 3958 2 5400
    cell 22 31 1 3773 1 3773 1 2835
    cell 22 36 1 3318 1 3318 1 5158
    cell 22 52 1 508 1 508 1 5470
    cell 23 31 4 3834 4 3834 1 2235
    cell 24 31 1 2702 1 2702 1 1884
    cell 24 35 2 3722 2 3722 1 5253
    cell 24 36 4 5765 4 5765 1 2963
    cell 24 37 0 5957 0 5957 1 3781
    route narrow-bins 30 3 456.697827 -33,151,-36,150,-37.7,144.8
    report 85be0813fffffff 0 0 528 1619
    report 85be0813fffffff 35 0 3879 6912
    report 85be0813fffffff 36 0 1087 4863
    report 85be084bfffffff 0 3 961 6353
    report 85be085bfffffff 31 2 4622 504
    report 85be0883fffffff 0 0 2003 376
    report 85be088bfffffff 35 1 3135 6336
    report 85be088bfffffff 36 0 4390 2935
    report 85be088bfffffff 52 3 2879 3517
    report 85be088ffffffff 52 0 1949 2841
    report 85be0893fffffff 35 4 340 6225
    report 85be08abfffffff 36 4 401 5547
    report 85be08c3fffffff 52 4 2334 6381
    report 85be08d7fffffff 36 3 490 1166
    report 85be0a0ffffffff 0 3 5200 5440
    report 85be0a13fffffff 37 2 5209 6877
    report 85be0a87fffffff 35 0 3864 4337
    report 85be0a87fffffff 37 1 5239 4632
    report 85be0a8ffffffff 0 3 4150 2346
    report 85be0a8ffffffff 37 1 1068 2791
    report 85be0a8ffffffff 52 3 5957 2519
    report 85be0a93fffffff 0 2 1393 3075
    report 85be0abbfffffff 35 1 4241 4971
    report 85be0c2ffffffff 31 3 4009 1164
    report 85be0d03fffffff 0 2 4866 5026
    report 85be0d03fffffff 35 4 4834 694
    report 85be0d07fffffff 0 0 4811 553
    report 85be0d0bfffffff 0 2 4435 3391
    report 85be0d0bfffffff 35 0 179 1210
    report 85be0d43fffffff 35 0 376 815
    report 85be0d43fffffff 35 4 4237 6414
    report 85be0d47fffffff 35 0 3060 5771
    report 85be0d53fffffff 31 3 5711 4539
    report 85be0d53fffffff 52 1 3516 5369
    report 85be0d57fffffff 0 4 4614 69
    report 85be0d57fffffff 36 4 5680 5285
    report 85be0d5bfffffff 0 1 3058 5680
    report 85be0d5bfffffff 35 1 978 103
    report 85be0d8bfffffff 31 1 2577 6897
    report 85be0d9bfffffff 31 0 5030 5072
    report 85be0dc7fffffff 52 0 2540 5723
    report 85be0dd7fffffff 52 1 3372 5046
    report 85be0e2ffffffff 0 3 564 7184
    report 85be2b27fffffff 52 2 5822 4999
    report 85be4493fffffff 36 0 5247 4395
    report 85be6243fffffff 0 1 2438 7166
    report 85be6243fffffff 31 0 4529 6579
    report 85be6247fffffff 0 3 1118 1598
    report 85be6247fffffff 35 3 2215 1473
    report 85be6247fffffff 36 4 4184 927
    report 85be625bfffffff 31 4 2008 1233
    report 85be6267fffffff 52 0 1960 4054
    report 85be6267fffffff 52 1 4975 3556
    report 85be6277fffffff 36 4 1367 3012
    report 85be6343fffffff 31 0 97 505
    report 85be6343fffffff 35 0 4188 1664
    report 85be6353fffffff 36 2 1528 3651
    report 85be637bfffffff 52 2 3929 4460
    report 85be7003fffffff 37 1 4032 4441
    report 85be7013fffffff 31 3 2513 6012
    report 85be7017fffffff 52 4 3934 1635
    report 85be701bfffffff 37 0 5762 5738
    report 85be7033fffffff 36 1 3519 6757
    report 85be7053fffffff 0 1 2685 1215
    report 85be7087fffffff 31 2 5767 2397
    report 85be70abfffffff 37 1 1332 3696
    report 85be70abfffffff 37 3 2993 4475
    report 85be70affffffff 31 0 2030 5381
    report 85be70affffffff 36 1 1939 2389
    report 85be70affffffff 36 3 5609 4028
    report 85be70affffffff 37 0 4327 98
    report 85be70cbfffffff 0 1 4701 3548
    report 85be70cbfffffff 0 1 4928 1792
    report 85be711bfffffff 36 3 2877 4473
    report 85be711bfffffff 52 1 5746 7094
    report 85be7183fffffff 31 0 4631 252
    report 85be7183fffffff 31 3 731 5986
    report 85be7183fffffff 52 4 5140 631
    report 85be718bfffffff 31 1 486 4670
    report 85be71a3fffffff 52 2 1427 5793
    report 85be71a7fffffff 35 2 707 4530
    report 85be71abfffffff 31 3 3739 5
    report 85be71b3fffffff 0 1 706 3559
    report 85be71b3fffffff 0 4 1093 5220
    report 85be71b3fffffff 37 2 5101 1987
    report 85be71d7fffffff 31 2 1302 7163
    report 85be71d7fffffff 52 2 2222 6766
    report 85be754ffffffff 31 1 1937 4853
    report 85be756bfffffff 36 1 2899 1758
    report 85be756ffffffff 35 1 1290 5999
    report 85be756ffffffff 35 2 3750 5057
    report 85be7603fffffff 37 3 499 718
    report 85be7607fffffff 0 0 3300 4223
    report 85be7607fffffff 52 4 2041 5167
    report 85be760bfffffff 35 0 240 2744
    report 85be760ffffffff 0 2 5443 5315
    report 85be761bfffffff 31 4 892 1273
    report 85be7637fffffff 0 2 3658 93
    report 85be7637fffffff 36 3 2681 4767
    report 85be7643fffffff 37 3 1258 446
    report 85be7653fffffff 0 2 987 7047
    report 85be7657fffffff 35 2 885 5901
    report 85be765bfffffff 0 0 1291 6615
    report 85be765bfffffff 35 2 4483 4734
    report 85be765bfffffff 37 2 1377 6395
    report 85be7673fffffff 37 3 5741 3051
    report 85be7677fffffff 36 2 2605 3708
    report 85be76a7fffffff 37 0 1110 6144
    report 85be76abfffffff 0 3 3704 4554
    report 85be76cbfffffff 52 0 1797 4716
    cell 0 37 2 5209 2 5209 1 6877
    cell 4 0 3 4150 3 4150 1 2346
    cell 4 37 1 1068 1 1068 1 2791
    cell 4 52 3 5957 3 5957 1 2519
    cell 5 35 1 4241 1 4241 1 4971
    cell 7 35 0 3864 0 3864 1 4337
    cell 7 37 1 5239 1 5239 1 4632
    cell 10 0 3 961 3 961 1 6353
    cell 12 31 2 4622 2 4622 1 504
    cell 24 0 0 528 0 528 1 1619
    cell 24 35 0 3879 0 3879 1 6912
    cell 24 36 3 1087 3 490 2 1166
    cell 26 35 1 3135 1 3135 1 6336
    cell 26 36 0 4390 0 4390 1 2935
    cell 26 52 3 2879 3 2879 1 3517
    cell 27 52 0 1949 0 1949 1 2841
    cell 29 0 0 2003 0 2003 1 376
    cell 31 35 4 340 4 340 1 6225
    cell 34 31 3 4009 3 4009 1 1164
    cell 36 0 1 3058 1 3058 1 5680
    cell 36 35 1 978 1 978 1 103
    cell 37 35 4 4237 0 376 2 815
    cell 39 31 3 5711 3 5711 1 4539
    cell 39 35 0 3060 0 3060 1 5771
    cell 39 52 1 3516 1 3516 1 5369
    cell 41 0 4 4614 4 4614 1 69
    cell 41 36 4 5680 4 5680 1 5285
    cell 42 0 2 4435 2 4435 1 3391
    cell 42 35 0 179 0 179 1 1210
    cell 46 0 2 4866 2 4866 1 5026
    cell 46 35 4 4834 4 4834 1 694
    cell 46 52 0 2540 0 2540 1 5723
    cell 48 52 1 3372 1 3372 1 5046
    cell 49 31 1 2577 1 2577 1 6897
    cell 51 31 0 5030 0 5030 1 5072
    cell 59 0 0 1291 0 1291 1 6615
    cell 59 35 2 4483 2 4483 1 4734
    cell 59 37 2 1377 2 1377 1 6395
    cell 61 52 2 5822 2 5822 1 4999
    cell 62 0 2 987 2 987 1 7047
    cell 62 52 0 1797 0 1797 1 4716
    cell 63 37 3 1258 3 1258 1 446
    cell 66 35 2 885 2 885 1 5901
    cell 68 31 4 892 4 892 1 1273
    cell 69 35 0 240 0 240 1 2744
    cell 70 37 3 5741 3 5741 1 3051
    cell 71 37 3 499 3 499 1 718
    cell 72 0 2 5443 2 5443 1 5315
    cell 73 36 2 2605 2 2605 1 3708
    cell 74 0 0 3300 0 3300 1 4223
    cell 74 52 4 2041 4 2041 1 5167
    cell 77 0 3 3704 3 3704 1 4554
    cell 81 0 2 3658 2 3658 1 93
    cell 81 36 3 2681 3 2681 1 4767
    cell 84 0 1 4928 1 4928 2 1792
    cell 85 0 1 2685 1 2685 1 1215
    cell 91 37 0 5762 0 5762 1 5738
    cell 93 31 3 2513 3 2513 1 6012
    cell 94 37 1 4032 1 4032 1 4441
    cell 96 52 4 3934 4 3934 1 1635
    cell 98 31 2 5767 2 5767 1 2397
    cell 100 37 3 2993 1 1332 2 3696
    cell 101 36 1 3519 1 3519 1 6757
    cell 103 31 0 2030 0 2030 1 5381
    cell 103 36 3 5609 1 1939 2 2389
    cell 103 37 0 4327 0 4327 1 98
    cell 107 36 1 2899 1 2899 1 1758
    cell 111 35 2 3750 2 3750 2 5057
    cell 112 31 2 1302 2 1302 1 7163
    cell 112 52 2 2222 2 2222 1 6766
    cell 115 31 1 486 1 486 1 4670
    cell 117 31 3 4631 0 4631 2 252
    cell 117 52 4 5140 4 5140 1 631
    cell 124 0 4 1093 1 706 2 3559
    cell 124 37 2 5101 2 5101 1 1987
    cell 125 0 1 2438 1 2438 1 7166
    cell 125 31 0 4529 0 4529 1 6579
    cell 125 52 2 1427 2 1427 1 5793
    cell 128 0 3 1118 3 1118 1 1598
    cell 128 35 3 2215 3 2215 2 1473
    cell 128 36 4 4184 4 4184 1 927
    cell 135 36 4 1367 4 1367 1 3012
    cell 136 52 1 4975 1 4975 2 3556
    cell 139 36 0 5247 0 5247 1 4395
    cell 147 36 2 1528 2 1528 1 3651
    cell 148 31 0 97 0 97 1 505
    cell 148 35 0 4188 0 4188 1 1664
    cell 152 52 2 3929 2 3929 1 4460
    """
}
