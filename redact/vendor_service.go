package redact

// serviceTokens are the tokens of messaging, payment, mail, shops and other services.
var serviceTokens = []token{
	{Label: "SLACK_TOKEN", Doc: "a Slack token", Prefix: "xoxb-", Body: base64url, Min: 20},
	{Label: "SLACK_TOKEN", Prefix: "xoxp-", Body: base64url, Min: 20},
	{Label: "SLACK_TOKEN", Prefix: "xoxa-", Body: base64url, Min: 20},
	{Label: "SLACK_TOKEN", Prefix: "xoxr-", Body: base64url, Min: 20},
	{Label: "SLACK_TOKEN", Prefix: "xoxs-", Body: base64url, Min: 20},
	{Label: "SLACK_TOKEN", Prefix: "xoxo-", Body: base64url, Min: 20},
	{Label: "SLACK_TOKEN", Prefix: "xoxc-", Body: base64url, Min: 20},
	{Label: "SLACK_TOKEN", Prefix: "xoxd-", Body: urlBytes, Min: 20},
	{Label: "SLACK_TOKEN", Prefix: "xoxe.xox", Body: base64url, Min: 20},
	{Label: "SLACK_TOKEN", Prefix: "xoxe-", Body: base64url, Min: 20},
	{Label: "SLACK_TOKEN", Prefix: "xapp-", Body: base64url, Min: 20},
	{Label: "SLACK_WEBHOOK", Doc: "the secret part of a Slack webhook", Prefix: "hooks.slack.com/services/",
		Body: pathBytes, Min: 30, Public: true},
	{Label: "SLACK_WEBHOOK", Prefix: "hooks.slack.com/workflows/", Body: pathBytes, Min: 30, Public: true},
	{Label: "SLACK_WEBHOOK", Prefix: "hooks.slack.com/triggers/", Body: pathBytes, Min: 30, Public: true},
	{Label: "DISCORD_WEBHOOK", Doc: "the secret part of a Discord webhook", Prefix: "discord.com/api/webhooks/",
		Body: pathBytes, Min: 60, Public: true},
	{Label: "DISCORD_WEBHOOK", Prefix: "discordapp.com/api/webhooks/", Body: pathBytes, Min: 60, Public: true},
	{Label: "TEAMS_WEBHOOK", Doc: "the secret part of a Teams webhook", Prefix: ".webhook.office.com/webhookb2/",
		Body: teamsBytes, Min: 60, Public: true},
	{Label: "TELEGRAM_TOKEN", Doc: "a Telegram bot token", Prefix: ":AA", Body: base64url, Min: 32, Max: 34,
		Lead: lead{digits, 8, 10}},

	{Label: "STRIPE_KEY", Doc: "a Stripe secret", Prefix: "sk_live_", Body: alnum, Min: 20},
	{Label: "STRIPE_KEY", Prefix: "sk_test_", Body: alnum, Min: 20},
	{Label: "STRIPE_KEY", Prefix: "rk_live_", Body: alnum, Min: 20},
	{Label: "STRIPE_KEY", Prefix: "rk_test_", Body: alnum, Min: 20},
	{Label: "STRIPE_KEY", Prefix: "whsec_", Body: padded, Min: 24},
	{Label: "SQUARE_TOKEN", Doc: "a Square token", Prefix: "sq0atp-", Body: base64url, Min: 22},
	{Label: "SQUARE_TOKEN", Prefix: "sq0csp-", Body: base64url, Min: 22},
	{Label: "SQUARE_TOKEN", Prefix: "EAAA", Body: base64url, Min: 60, Max: 60},
	{Label: "PLAID_TOKEN", Doc: "a Plaid token", Prefix: "access-production-", Body: hexDash, Min: 36},
	{Label: "PLAID_TOKEN", Prefix: "access-development-", Body: hexDash, Min: 36},
	{Label: "PLAID_TOKEN", Prefix: "access-sandbox-", Body: hexDash, Min: 36},
	{Label: "FLUTTERWAVE_KEY", Doc: "a Flutterwave key", Prefix: "FLWSECK-", Body: base64url, Min: 20},
	{Label: "FLUTTERWAVE_KEY", Prefix: "FLWSECK_TEST-", Body: base64url, Min: 12},
	{Label: "PAYPAL_TOKEN", Doc: "a PayPal or Braintree token", Prefix: "access_token$production$",
		Body: classOf("0-9a-z$"), Min: 40},
	{Label: "SHOPIFY_TOKEN", Doc: "a Shopify token", Prefix: "shpat_", Body: hexDigits, Min: 32},
	{Label: "SHOPIFY_TOKEN", Prefix: "shpca_", Body: hexDigits, Min: 32},
	{Label: "SHOPIFY_TOKEN", Prefix: "shppa_", Body: hexDigits, Min: 32},
	{Label: "SHOPIFY_TOKEN", Prefix: "shpss_", Body: hexDigits, Min: 32},
	{Label: "EASYPOST_KEY", Doc: "an EasyPost key", Prefix: "EZAK", Body: alnum, Min: 54, Max: 54},
	{Label: "SHIPPO_TOKEN", Doc: "a Shippo token", Prefix: "shippo_live_", Body: lowerHex, Min: 40},
	{Label: "DUFFEL_TOKEN", Doc: "a Duffel token", Prefix: "duffel_live_", Body: atlassian, Min: 43},

	{Label: "SENDGRID_KEY", Doc: "a SendGrid key", Prefix: "SG.", Body: dotted, Min: 50},
	{Label: "BREVO_KEY", Doc: "a Brevo key", Prefix: "xkeysib-", Body: base64url, Min: 60},
	{Label: "MAILGUN_KEY", Doc: "a Mailgun key", Prefix: "key-", Body: lowerHex, Min: 32, Max: 32},
	{Label: "MAILCHIMP_KEY", Doc: "a Mailchimp key", Prefix: "-us", Body: digits, Min: 1, Max: 2,
		Lead: lead{lowerHex, 32, 32}},
	{Label: "TWILIO_KEY", Doc: "a Twilio key", Prefix: "SK", Body: lowerHex, Min: 32, Max: 32},

	{Label: "NOTION_TOKEN", Doc: "a Notion token", Prefix: "ntn_", Body: alnum, Min: 40},
	{Label: "NOTION_TOKEN", Prefix: "secret_", Body: alnum, Min: 43, Max: 43, Check: dense},
	{Label: "AIRTABLE_TOKEN", Doc: "an Airtable token", Prefix: "pat", Body: classOf("A-Za-z0-9."), Min: 79, Max: 79,
		Check: dense},
	{Label: "DROPBOX_TOKEN", Doc: "a Dropbox token", Prefix: "sl.", Body: base64url, Min: 120},
	{Label: "FACEBOOK_TOKEN", Doc: "a Facebook token", Prefix: "EAA", Body: alnum, Min: 80, Check: dense},
	{Label: "TYPEFORM_TOKEN", Doc: "a Typeform token", Prefix: "tfp_", Body: dotted, Min: 40},
	{Label: "CONTENTFUL_TOKEN", Doc: "a Contentful token", Prefix: "CFPAT-", Body: base64url, Min: 40},
	{Label: "README_KEY", Doc: "a ReadMe key", Prefix: "rdme_", Body: lowerNum, Min: 60},
	{Label: "INTERCOM_TOKEN", Doc: "an Intercom token", Prefix: "dG9rO", Body: padded, Min: 50},
}

var (
	urlBytes   = classOf("A-Za-z0-9_%+/=-")
	pathBytes  = classOf("A-Za-z0-9_/-")
	teamsBytes = classOf("A-Za-z0-9_@/-")
)
