// Package catalog knows the gateway's families, models, modes, fields and limits as
// data, and checks a draft against them.
//
// catalog.yaml is the only source that people edit. catalog.json beside it is made
// from it by "go generate ./client/catalog", because reading JSON keeps the start-up
// of a program short; a test fails when the two differ. A person's own overlay adds
// to the embedded catalog or changes it without a rebuild, see [Catalog.Overlay].
//
// # Canonical field names
//
// Values of a draft are kept under one name per meaning; every other name of the
// interface is an alias. model, model_name, mode and prompt are fields of the draft
// itself and no values.
//
// Video (POST /v1/videos), aliases in parentheses:
//
//	duration (seconds), aspect_ratio (ratio), resolution, size, quality, fps, seed,
//	generate_audio (audio), watermark, movement_amplitude, off_peak, subjects,
//	image (image_url, input_reference), end_image (end_image_url,
//	last_image_url), images (image_urls), reference_images, videos (video_urls,
//	video_url, video), audios (audio_urls), content, function_mode, parameters,
//	negative_prompt, cfg_scale, sound, camera_control, image_list, video_id, task_id,
//	watermark_info, callback_url, external_task_id
//
// Image (POST /v1/images/generations):
//
//	size, aspect_ratio, resolution, quality, style, n, response_format, image
//	(image_url), images (image_urls), image_list, subject_image_list, scene_image,
//	style_image, human_image, cloth_image, negative_prompt, up_expansion_ratio,
//	down_expansion_ratio, left_expansion_ratio, right_expansion_ratio, element_list,
//	result_type, series_amount, user, callback_url, external_task_id
//
// Music (POST /famN/submit/music):
//
//	upstream_model (music_model, engine, model_id, modelId), title, tags, style,
//	genre, lyrics (lyric, custom_lyrics, customLyrics), make_instrumental,
//	light_music, custom_mode (customMode), voice, output_format (outputFormat),
//	sample_rate (sampleRate), speed, volume, pitch, extra_params (extraParams)
//
// Speech (the same request with a speech or sound engine): upstream_model, voice,
// output_format, sample_rate, speed, volume, pitch, extra_params. Chat (POST
// /v1/chat/completions): system, messages; its models are not documented, so any is taken.
//
// # Formats
//
// The catalog describes every wire format, see [FormatInfo]: videos (/v1/videos), content
// (/api/v3/contents/generations/tasks), ent (/ent/v2), tasks (/api/v1/tasks), status
// (/famF/v1/videos/image2video), images, music, responses, chat, native (reserved). Needs
// and limits may hold in some formats only: [Catalog.CheckFor]. docs/FORMATS.md is made
// by [Catalog.Table].
package catalog

//go:generate go test -count=1 -run TestEmbeddedIsCurrent -update .
