package redact

import "strings"

// cloudTokens are the tokens of clouds, models and infrastructure.
var cloudTokens = []token{
	{Label: "AWS_ACCESS_KEY_ID", Doc: "an AWS access key id", Prefix: "AKIA", Body: upperNum, Min: 16, Max: 16,
		Check: undocumented},
	{Label: "AWS_ACCESS_KEY_ID", Prefix: "ASIA", Body: upperNum, Min: 16, Max: 16, Check: undocumented},
	{Label: "AWS_ACCESS_KEY_ID", Prefix: "ABIA", Body: upperNum, Min: 16, Max: 16, Check: undocumented},
	{Label: "AWS_ACCESS_KEY_ID", Prefix: "ACCA", Body: upperNum, Min: 16, Max: 16, Check: undocumented},

	{Label: "GOOGLE_KEY", Doc: "a Google Cloud key or token", Prefix: "AIza", Body: base64url, Min: 35},
	{Label: "GOOGLE_KEY", Prefix: "GOCSPX-", Body: base64url, Min: 24},
	{Label: "GOOGLE_KEY", Prefix: "ya29.", Body: dotted, Min: 30},
	{Label: "GOOGLE_KEY", Prefix: "1//0", Body: base64url, Min: 40, Check: dense},

	{Label: "AZURE_SECRET", Doc: "an Azure client secret", Prefix: "Q~", Body: azure, Min: 31,
		Lead: lead{azure, 4, 4}},
	{Label: "DIGITALOCEAN_TOKEN", Doc: "a DigitalOcean token", Prefix: "dop_v1_", Body: lowerHex, Min: 48},
	{Label: "DIGITALOCEAN_TOKEN", Prefix: "doo_v1_", Body: lowerHex, Min: 48},
	{Label: "DIGITALOCEAN_TOKEN", Prefix: "dor_v1_", Body: lowerHex, Min: 48},
	{Label: "ALIBABA_KEY_ID", Doc: "an Alibaba Cloud access key id", Prefix: "LTAI", Body: alnum, Min: 12, Max: 26},
	{Label: "TENCENT_KEY_ID", Doc: "a Tencent Cloud secret id", Prefix: "AKID", Body: alnum, Min: 32, Max: 36},
	{Label: "YANDEX_KEY", Doc: "a Yandex Cloud key", Prefix: "AQVN", Body: base64url, Min: 35, Max: 45},
	{Label: "HEROKU_KEY", Doc: "a Heroku key", Prefix: "HRKU-", Body: base64url, Min: 36},
	{Label: "FLY_TOKEN", Doc: "a Fly.io token", Prefix: "FlyV1 ", Body: classOf("A-Za-z0-9_+/=,-"), Min: 40},
	{Label: "FLY_TOKEN", Prefix: "fm2_", Body: padded, Min: 40},
	{Label: "FLY_TOKEN", Prefix: "fo1_", Body: base64url, Min: 40},
	{Label: "RENDER_KEY", Doc: "a Render key", Prefix: "rnd_", Body: alnum, Min: 28},
	{Label: "VERCEL_TOKEN", Doc: "a Vercel token", Prefix: "vcp_", Body: base64url, Min: 24},
	{Label: "VERCEL_TOKEN", Prefix: "vck_", Body: base64url, Min: 24},
	{Label: "VERCEL_TOKEN", Prefix: "vca_", Body: base64url, Min: 24},
	{Label: "VERCEL_TOKEN", Prefix: "vcr_", Body: base64url, Min: 24},
	{Label: "VERCEL_TOKEN", Prefix: "vci_", Body: base64url, Min: 24},
	{Label: "VERCEL_TOKEN", Prefix: "vercel_blob_rw_", Body: wordBytes, Min: 30},
	{Label: "ELASTIC_KEY", Doc: "an Elastic Cloud key", Prefix: "essu_", Body: padded, Min: 40},
	{Label: "MONGODB_SECRET", Doc: "a MongoDB Atlas secret", Prefix: "mdb_sa_sk_", Body: base64url, Min: 36},
	{Label: "COCKROACH_KEY", Doc: "a CockroachDB Cloud key", Prefix: "CCDB1_", Body: wordBytes, Min: 50},
	{Label: "SWARM_KEY", Doc: "a Docker Swarm key", Prefix: "SWMKEY-1-", Body: padded, Min: 40},
	{Label: "SWARM_KEY", Prefix: "SWMTKN-1-", Body: classOf("0-9a-z-"), Min: 40},
	{Label: "TAILSCALE_KEY", Doc: "a Tailscale key", Prefix: "tskey-", Body: base64url, Min: 24},
	{Label: "DATABRICKS_TOKEN", Doc: "a Databricks token", Prefix: "dapi", Body: hexDash, Min: 32, Max: 36},
	{Label: "PREFECT_KEY", Doc: "a Prefect key", Prefix: "pnu_", Body: alnum, Min: 36},
	{Label: "PREFECT_KEY", Prefix: "pnb_", Body: alnum, Min: 36},
	{Label: "PASSWORD_HASH", Doc: "a password hash", Prefix: "$2a$", Body: crypt, Min: 50},
	{Label: "PASSWORD_HASH", Prefix: "$2b$", Body: crypt, Min: 50},
	{Label: "PASSWORD_HASH", Prefix: "$2y$", Body: crypt, Min: 50},
	{Label: "PASSWORD_HASH", Prefix: "$argon2", Body: crypt, Min: 40},
	{Label: "PASSWORD_HASH", Prefix: "$y$", Body: crypt, Min: 40},
	{Label: "PASSWORD_HASH", Prefix: "$6$", Body: crypt, Min: 80},
	{Label: "PASSWORD_HASH", Prefix: "$5$", Body: crypt, Min: 40},
	{Label: "PASSWORD_HASH", Prefix: "$2x$", Body: crypt, Min: 50},
	{Label: "PASSWORD_HASH", Prefix: "$7$", Body: crypt, Min: 40},
	{Label: "PASSWORD_HASH", Prefix: "$gy$", Body: crypt, Min: 40},
	{Label: "PASSWORD_HASH", Prefix: "$scrypt$", Body: crypt, Min: 40},
	{Label: "PASSWORD_HASH", Prefix: "$pbkdf2", Body: crypt, Min: 40},
	{Label: "PASSWORD_HASH", Prefix: "{SSHA", Body: ssha, Min: 30},
	{Label: "PASSWORD_HASH", Prefix: "{CRYPT}$", Body: crypt, Min: 24},

	{Label: "OPENAI_KEY", Doc: "an OpenAI key, or one of the same form", Prefix: "sk-", Body: base64url, Min: 16,
		Check: drawnKey},
	{Label: "OPENAI_KEY", Prefix: "sk-proj-", Body: base64url, Min: 32},
	{Label: "OPENAI_KEY", Prefix: "sk-svcacct-", Body: base64url, Min: 32},
	{Label: "OPENAI_KEY", Prefix: "sk-admin-", Body: base64url, Min: 32},
	{Label: "OPENROUTER_KEY", Doc: "an OpenRouter key", Prefix: "sk-or-", Body: base64url, Min: 32},
	{Label: "ANTHROPIC_KEY", Doc: "an Anthropic key", Prefix: "sk-ant-", Body: base64url, Min: 24},
	{Label: "HUGGINGFACE_TOKEN", Doc: "a Hugging Face token", Prefix: "hf_", Body: alnum, Min: 30, Check: dense},
	{Label: "HUGGINGFACE_TOKEN", Prefix: "api_org_", Body: alnum, Min: 30},
	{Label: "REPLICATE_TOKEN", Doc: "a Replicate token", Prefix: "r8_", Body: alnum, Min: 36},
	{Label: "PERPLEXITY_KEY", Doc: "a Perplexity key", Prefix: "pplx-", Body: alnum, Min: 40},
	{Label: "GROQ_KEY", Doc: "a Groq key", Prefix: "gsk_", Body: alnum, Min: 40},
	{Label: "XAI_KEY", Doc: "an xAI key", Prefix: "xai-", Body: base64url, Min: 60},
	{Label: "NVIDIA_KEY", Doc: "an NVIDIA key", Prefix: "nvapi-", Body: base64url, Min: 40},
	{Label: "MODEL_KEY", Doc: "a key of a service for models", Prefix: "csk-", Body: lowerNum, Min: 40, Check: dense},
	{Label: "MODEL_KEY", Prefix: "crsr_", Body: lowerHex, Min: 48},
	{Label: "MODEL_KEY", Prefix: "key_", Body: lowerHex, Min: 64},
	{Label: "MODEL_KEY", Prefix: "tgp_v1_", Body: base64url, Min: 32},
	{Label: "MODEL_KEY", Prefix: "fw_", Body: alnum, Min: 20, Max: 24, Check: dense},
	{Label: "MODEL_KEY", Prefix: "sk_", Body: lowerHex, Min: 48},
	{Label: "MODEL_KEY", Prefix: "fc-", Body: lowerHex, Min: 32, Max: 32},
	{Label: "MODEL_KEY", Prefix: "tvly-", Body: base64url, Min: 24, Check: dense},
	{Label: "MODEL_KEY", Prefix: "pcsk_", Body: wordBytes, Min: 48},
	{Label: "MODEL_KEY", Prefix: "jina_", Body: wordBytes, Min: 48},
	{Label: "MODEL_KEY", Prefix: "rpa_", Body: alnum, Min: 30, Check: dense},
	{Label: "GOOGLE_KEY", Prefix: "AQ.Ab", Body: base64url, Min: 30},
	{Label: "LANGCHAIN_KEY", Doc: "a LangSmith key", Prefix: "lsv2_", Body: wordBytes, Min: 36},
}

var (
	azure = classOf("A-Za-z0-9_.~-")
	crypt = classOf("A-Za-z0-9./$=,+_-")
	ssha  = classOf("A-Z0-9a-z}+/=")
)

// undocumented reports whether the key id is not one of those that AWS prints in its documentation, which all end
// alike. A real id is drawn from 32 characters and ends so once in 32 billion.
func undocumented(body string) bool { return !strings.HasSuffix(body, "EXAMPLE") }

// drawnKey reports whether chance wrote a key of which nothing but a short prefix tells: without hyphens if it is short.
func drawnKey(body string) bool {
	if len(body) >= 32 {
		return dense(body)
	}
	return alnum.run(body, 0, len(body)) == len(body) && chance(body)
}
