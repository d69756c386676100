package scalar

// lgammaNear1 holds the coefficients of lgamma(1+t)/t for |t| up to 1/16.
var lgammaNear1 = [15]float64{
	-0x1.2788cfc6fb619p-1, 0x1.a51a6625307d3p-1, -0x1.9a4d55beab2d7p-2, 0x1.151322ac7d848p-2,
	-0x1.a8b9c17aa6149p-3, 0x1.5b40cb100c604p-3, -0x1.2703a1dcea67fp-3, 0x1.010b36aea26f2p-3,
	-0x1.c806706bab0b2p-4, 0x1.9a01e7deb51fep-4, -0x1.748c3728c781ep-4, 0x1.55652723c1ce8p-4,
	-0x1.3b183d93663p-4, 0x1.285e6f36f8b5fp-4, -0x1.14a1e415167e9p-4,
}

// lgammaNear2 holds the coefficients of lgamma(2+t)/t for |t| up to 1/16.
var lgammaNear2 = [15]float64{
	0x1.b0ee6072093cep-2, 0x1.4a34cc4a60fa6p-2, -0x1.13e001a557607p-4, 0x1.51322ac7d8483p-6,
	-0x1.e404fc218f5f2p-8, 0x1.7add6eadb6c31p-9, -0x1.38ac5c2bf8e09p-10, 0x1.0b36af86388c8p-11,
	-0x1.d3fd4c76d1533p-13, 0x1.a127b102c0f52p-14, -0x1.78de5be805a64p-15, 0x1.580d748720789p-16,
	-0x1.3cbc41394bb7bp-17, 0x1.26887a64bd138p-18, -0x1.12957a667d477p-19,
}

// digammaNearRoot holds the coefficients of digamma(root+t)/t for |t| up to 1/16.
var digammaNearRoot = [15]float64{
	0x1.ef72bc8ee38acp-1, -0x1.c563b54aa1a35p-2, 0x1.08b4294d50381p-2, -0x1.4fc1317257da8p-3,
	0x1.b9a5b6370f3abp-4, -0x1.27baba261cc52p-4, 0x1.8fce02b239cdbp-5, -0x1.0fa7ec3690fdfp-5,
	0x1.723d6807ce866p-6, -0x1.f970516d804e4p-7, 0x1.5955cb436aaa1p-7, -0x1.d825bf10ae856p-8,
	0x1.42e01d1788d4ep-8, -0x1.bcba134138563p-9, 0x1.3037a83ceb641p-9,
}
