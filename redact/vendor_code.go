package redact

// codeTokens are the tokens of source hosts, package registries, continuous integration and deployment.
var codeTokens = []token{
	{Label: "CTX_TOKEN", Doc: "a token of this server", Prefix: "ctx_", Body: wordBytes, Min: 54, Max: 54, Check: dense},
	{Label: "GITHUB_TOKEN", Doc: "a GitHub token", Prefix: "ghp_", Body: alnum, Min: 30},
	{Label: "GITHUB_TOKEN", Prefix: "gho_", Body: alnum, Min: 30},
	{Label: "GITHUB_TOKEN", Prefix: "ghu_", Body: alnum, Min: 30},
	{Label: "GITHUB_TOKEN", Prefix: "ghs_", Body: alnum, Min: 30},
	{Label: "GITHUB_TOKEN", Prefix: "ghr_", Body: alnum, Min: 30},
	{Label: "GITHUB_TOKEN", Prefix: "github_pat_", Body: wordBytes, Min: 36},

	{Label: "GITLAB_TOKEN", Doc: "a GitLab token", Prefix: "glpat-", Body: dotted, Min: 20},
	{Label: "GITLAB_TOKEN", Prefix: "gldt-", Body: base64url, Min: 20},
	{Label: "GITLAB_TOKEN", Prefix: "glrt-", Body: base64url, Min: 20},
	{Label: "GITLAB_TOKEN", Prefix: "glptt-", Body: base64url, Min: 20},
	{Label: "GITLAB_TOKEN", Prefix: "glft-", Body: base64url, Min: 20},
	{Label: "GITLAB_TOKEN", Prefix: "glsoat-", Body: base64url, Min: 20},
	{Label: "GITLAB_TOKEN", Prefix: "glimt-", Body: base64url, Min: 20},
	{Label: "GITLAB_TOKEN", Prefix: "glcbt-", Body: base64url, Min: 20},
	{Label: "GITLAB_TOKEN", Prefix: "glagent-", Body: base64url, Min: 20},
	{Label: "GITLAB_TOKEN", Prefix: "gloas-", Body: base64url, Min: 20},

	{Label: "ATLASSIAN_TOKEN", Doc: "an Atlassian or Bitbucket token", Prefix: "ATATT3", Body: atlassian, Min: 40},
	{Label: "ATLASSIAN_TOKEN", Prefix: "ATCTT3", Body: atlassian, Min: 40},
	{Label: "ATLASSIAN_TOKEN", Prefix: "ATBB", Body: alnum, Min: 28, Check: dense},

	{Label: "NPM_TOKEN", Doc: "an npm token", Prefix: "npm_", Body: alnum, Min: 36},
	{Label: "PYPI_TOKEN", Doc: "a PyPI upload token", Prefix: "pypi-AgE", Body: base64url, Min: 40},
	{Label: "RUBYGEMS_KEY", Doc: "a RubyGems key", Prefix: "rubygems_", Body: lowerHex, Min: 40},
	{Label: "CRATES_TOKEN", Doc: "a crates.io token", Prefix: "cio", Body: alnum, Min: 32, Max: 32, Check: dense},
	{Label: "CLOJARS_TOKEN", Doc: "a Clojars token", Prefix: "CLOJARS_", Body: alnum, Min: 40},
	{Label: "NUGET_KEY", Doc: "a NuGet key", Prefix: "oy2", Body: lowerNum, Min: 43, Max: 43},
	{Label: "DOCKER_TOKEN", Doc: "a Docker Hub token", Prefix: "dckr_pat_", Body: base64url, Min: 20},
	{Label: "DOCKER_TOKEN", Prefix: "dckr_oat_", Body: base64url, Min: 20},
	{Label: "JFROG_KEY", Doc: "a JFrog key", Prefix: "AKCp", Body: alnum, Min: 60},
	{Label: "SONAR_TOKEN", Doc: "a SonarQube token", Prefix: "sqa_", Body: lowerHex, Min: 40},
	{Label: "SONAR_TOKEN", Prefix: "sqp_", Body: lowerHex, Min: 40},
	{Label: "SONAR_TOKEN", Prefix: "squ_", Body: lowerHex, Min: 40},
	{Label: "TERRAFORM_TOKEN", Doc: "a Terraform Cloud token", Prefix: ".atlasv1.", Body: base64url, Min: 40,
		Lead: lead{alnum, 14, 14}},
	{Label: "PULUMI_TOKEN", Doc: "a Pulumi token", Prefix: "pul-", Body: lowerHex, Min: 40},
	{Label: "DOPPLER_TOKEN", Doc: "a Doppler token", Prefix: "dp.pt.", Body: alnum, Min: 40},
	{Label: "DOPPLER_TOKEN", Prefix: "dp.st.", Body: dotted, Min: 40},
	{Label: "DOPPLER_TOKEN", Prefix: "dp.ct.", Body: alnum, Min: 40},
	{Label: "DOPPLER_TOKEN", Prefix: "dp.sa.", Body: alnum, Min: 40},
	{Label: "VAULT_TOKEN", Doc: "a Vault token", Prefix: "hvs.", Body: base64url, Min: 24},
	{Label: "VAULT_TOKEN", Prefix: "s.", Body: alnum, Min: 24, Max: 24, Check: chance},
	{Label: "VAULT_TOKEN", Prefix: "hvb.", Body: base64url, Min: 24},
	{Label: "VAULT_TOKEN", Prefix: "hvr.", Body: base64url, Min: 24},
	{Label: "ONEPASSWORD_TOKEN", Doc: "a 1Password service account", Prefix: "ops_eyJ", Body: base64url, Min: 80},
	{Label: "AGE_KEY", Doc: "an age secret key", Prefix: "AGE-SECRET-KEY-1", Body: upperNum, Min: 40},
	{Label: "HARNESS_TOKEN", Doc: "a Harness token", Prefix: "pat.", Body: dotted, Min: 60, Check: dense},
	{Label: "POSTMAN_KEY", Doc: "a Postman key", Prefix: "PMAK-", Body: hexDash, Min: 40},
	{Label: "SENTRY_TOKEN", Doc: "a Sentry token", Prefix: "sntrys_", Body: padded, Min: 40},
	{Label: "SENTRY_TOKEN", Prefix: "sntryu_", Body: lowerHex, Min: 40},
	{Label: "GRAFANA_TOKEN", Doc: "a Grafana token", Prefix: "glsa_", Body: wordBytes, Min: 32},
	{Label: "GRAFANA_TOKEN", Prefix: "glc_", Body: padded, Min: 32},
	{Label: "NEWRELIC_KEY", Doc: "a New Relic key", Prefix: "NRAK-", Body: upperNum, Min: 24},
	{Label: "NEWRELIC_KEY", Prefix: "NRII-", Body: base64url, Min: 32},
	{Label: "DYNATRACE_TOKEN", Doc: "a Dynatrace token", Prefix: "dt0c01.", Body: dotted, Min: 64},
	{Label: "CIRCLECI_TOKEN", Doc: "a CircleCI token", Prefix: "CCIPAT_", Body: wordBytes, Min: 40},
	{Label: "CIRCLECI_TOKEN", Prefix: "CCIPRJ_", Body: wordBytes, Min: 40},
	{Label: "BUILDKITE_TOKEN", Doc: "a Buildkite token", Prefix: "bkua_", Body: lowerHex, Min: 40},
	{Label: "CLOUDSMITH_KEY", Doc: "a Cloudsmith key", Prefix: "csa_", Body: alnum, Min: 32, Check: dense},
	{Label: "POSTHOG_KEY", Doc: "a PostHog key", Prefix: "phx_", Body: base64url, Min: 36},
	{Label: "POSTHOG_KEY", Prefix: "phc_", Body: base64url, Min: 36},
	{Label: "DEVIN_KEY", Doc: "a Devin key", Prefix: "apk_", Body: wordBytes, Min: 40, Check: dense},
	{Label: "DEVIN_KEY", Prefix: "cog_", Body: lowerNum, Min: 40, Check: dense},
	{Label: "LINEAR_KEY", Doc: "a Linear key", Prefix: "lin_api_", Body: alnum, Min: 32},
	{Label: "LINEAR_KEY", Prefix: "lin_oauth_", Body: alnum, Min: 32},
	{Label: "FIGMA_TOKEN", Doc: "a Figma token", Prefix: "figd_", Body: base64url, Min: 36},
	{Label: "NETLIFY_TOKEN", Doc: "a Netlify token", Prefix: "nfp_", Body: alnum, Min: 36},
	{Label: "SUPABASE_TOKEN", Doc: "a Supabase token", Prefix: "sbp_", Body: lowerHex, Min: 40},
	{Label: "SUPABASE_TOKEN", Prefix: "sb_secret_", Body: base64url, Min: 20},
	{Label: "PLANETSCALE_TOKEN", Doc: "a PlanetScale token", Prefix: "pscale_tkn_", Body: dotted, Min: 32},
	{Label: "PLANETSCALE_TOKEN", Prefix: "pscale_pw_", Body: dotted, Min: 32},
	{Label: "PLANETSCALE_TOKEN", Prefix: "pscale_oauth_", Body: dotted, Min: 32},
}

var (
	lowerHex  = classOf("0-9a-f")
	lowerNum  = classOf("0-9a-z")
	hexDash   = classOf("0-9a-f-")
	atlassian = classOf("A-Za-z0-9_=-")
	dotted    = classOf("A-Za-z0-9_.-")
	padded    = classOf("A-Za-z0-9_+/=-")
)
